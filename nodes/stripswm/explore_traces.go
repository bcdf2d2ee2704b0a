package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"stripswm/bags"
	"stripswm/internal/files"
	policy "stripswm/models/exploration"
	"stripswm/models/facts"
	"stripswm/nodes/eval/explorebench"
	"stripswm/nodes/exploration"
	"stripswm/nodes/learn"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/record"
	"stripswm/nodes/stripswm/internal/progress"
)

// exploreTraces explores by facts learned from the order of attempts, keeps what became of it in
// explored.json, and learns a bundle of facts from the recording.
func exploreTraces(cmd *cobra.Command, c *common, w sim.World, o explorebench.Options) error {
	status, err := exploreByFacts(cmd.Context(), c, w, o)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w; --resume continues it", err)
	}
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(status, "", " ")
	if err != nil {
		return err
	}
	if err := files.Write(filepath.Join(o.Out, "explored.json"), append(text, '\n')); err != nil {
		return err
	}
	if out := cmd.OutOrStdout(); !c.json {
		fmt.Fprintf(out, "explored     %d attempts, %d succeeded, in %.1f h of robot time: %s\n",
			status.Attempts, status.Succeeded, status.Seconds/3600, status.Reason)
		fmt.Fprintf(out, "expected     plans between %.0f %% of pairs of states\n", 100*status.Success)
		for _, line := range status.Unknown {
			fmt.Fprintf(out, "not known    %s\n", line)
		}
	}
	l := o.Learner
	l.Bag, l.Out, l.Method = filepath.Join(o.Out, "bag"), o.Out, learn.Traces
	l.Domain, l.Labels = w.Name(), sim.ActionNames(w)
	return learnAndReport(cmd, c, l)
}

// exploreByFacts records attempts of a simulated robot.
func exploreByFacts(ctx context.Context, c *common, w sim.World, o explorebench.Options) (
	status exploration.InformedStatus, err error) {
	e, err := policy.New(w.NumActions(), policy.Options{Seed: o.Record.Seed, Excluded: o.Excluded})
	if err != nil {
		return status, usageError{err}
	}
	bag := filepath.Join(o.Out, "bag")
	rig, err := record.OpenRig(w, bag, o.Record)
	resumed := o.Learner.Resume && errors.Is(err, fs.ErrExist)
	if resumed {
		rig, err = record.ContinueRig(ctx, w, bag, o.Record)
	}
	if err != nil {
		return status, err
	}
	defer func() { err = errors.Join(err, rig.Close()) }()
	bar := progress.Start(ctx, "explore", int64(o.Budget), progress.Options{Quiet: c.quiet || c.json})
	defer bar.Done()
	x := exploration.Informed{Explorer: e, Robot: explorebench.Robot{World: w, Rig: rig}, Usual: true,
		Names: sim.ActionNames(w), Budget: o.Budget, TargetCoverage: o.TargetCoverage,
		Successes: facts.MinIntervals,
		Progress: func(s exploration.InformedStatus) {
			bar.Set(int64(s.Attempts))
			bar.Describe(fmt.Sprintf("explore: %.1f h of robot time, plans for %.0f %% of pairs, %d not "+
				"known", s.Seconds/3600, 100*s.Success, len(s.Unknown)))
		}}
	if resumed {
		past, err := bags.OpenLive(bag)
		if err != nil {
			return status, err
		}
		err = errors.Join(x.Recall(ctx, past, &status), past.Close())
		if err != nil {
			return status, fmt.Errorf("go on with %s: %w", bag, err)
		}
	}
	return x.Run(ctx, status)
}
