package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"stripswm/models/bundle"
	"stripswm/models/imageplan"
	"stripswm/nodes/eval/builder"
	"stripswm/nodes/eval/heldout"
	"stripswm/nodes/learn"
	"stripswm/nodes/stripswm/internal/progress"
)

// heldOutput is eval.json of a recording.
type heldOutput struct {
	Run provenance `json:"run"`
	*heldout.Report
}

// evalBag evaluates a bundle on a recording, without a world: of one that it was learned from,
// on what was held out.
func evalBag(cmd *cobra.Command, c *common, p *imageplan.Planner, bag, out string) error {
	b := p.Bundle()
	frame, err := learn.FrameOf(b)
	if err != nil {
		return err
	}
	recording, err := learn.Load(cmd.Context(), bag, frame, p.Model().Actions(), nil)
	if err != nil {
		return err
	}
	defer recording.Close()
	known, err := heldout.LearnedFrom(b, bag)
	if err != nil {
		return err
	}
	if known {
		training, err := learn.ReadTraining(b)
		if err != nil && !errors.Is(err, bundle.ErrNoPart) {
			return err
		}
		if training.HeldOut > 0 {
			_, recording = recording.Split(training.HeldOut)
			known = false
		}
	}
	bar := progress.Start(cmd.Context(), "recognize images", int64(recording.Data.Images()),
		progress.Options{Quiet: c.quiet || c.json})
	r, err := heldout.Run(cmd.Context(), p, recording, func(done, _ int) { bar.Set(int64(done)) })
	bar.Done()
	if err != nil {
		return err
	}
	r.Known = known
	kept := heldOutput{originOf(b.Manifest.Seed, ""), r}
	if out != "" {
		if err := writeHeldOut(out, kept, recording); err != nil {
			return err
		}
	}
	if c.json {
		return printJSON(cmd, kept)
	}
	return printHeldOut(cmd.OutOrStdout(), r)
}

func writeHeldOut(out string, r heldOutput, recording *learn.Recording) error {
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	if err := writeEvalJSON(out, r); err != nil {
		return err
	}
	return builder.HeldOut(out, r.Report, recording)
}

func printHeldOut(out io.Writer, r *heldout.Report) error {
	if r.Known {
		fmt.Fprint(out, "the bundle was learned from this recording: no part of it was held out\n\n")
	}
	fmt.Fprintf(out, "images       %d, %s classified as a state", r.Images,
		percent(r.Recognized(), r.Images))
	for _, why := range []imageplan.Refusal{imageplan.Blank, imageplan.Unknown, imageplan.Inconsistent,
		imageplan.OutOfDistribution, imageplan.LowConfidence} {
		if n := r.Refused[why]; n > 0 {
			fmt.Fprintf(out, "; %s: %d", why, n)
		}
	}
	fmt.Fprintf(out, "\nintervals    %d with two images, of %d evaluated %s show one state\n\n",
		r.Intervals.Intervals, r.Intervals.Evaluated, percent(r.Intervals.Agreed, r.Intervals.Evaluated))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w,
		"skill\ttransitions\tevaluated\tpredicted\tled "+
			"elsewhere\texcluded\tundecided\trefused\tevaluated\tpredicted\tnot\tundecided\t")
	for _, s := range append(slices.Clone(r.Skills), r.All) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%d\t%d\t%d\t%d\t%d\t%s\t%d\t%d\t\n", s.Name, s.Transitions,
			s.Evaluated, percent(s.Predicted, s.Evaluated), s.Elsewhere, s.Excluded,
			s.Evaluated-s.Predicted-s.Elsewhere-s.Excluded, s.Refusals, s.RefusalsEvaluated,
			percent(s.RefusalsForeseen, s.RefusalsEvaluated), s.RefusalsNot,
			s.RefusalsEvaluated-s.RefusalsForeseen-s.RefusalsNot)
	}
	return w.Flush()
}
