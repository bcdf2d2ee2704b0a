package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"stripswm/models/facts"
	"stripswm/models/strips"
	"stripswm/nodes/eval/explorebench"
	"stripswm/nodes/exploration"
	"stripswm/nodes/learn"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/record"
	"stripswm/nodes/stripswm/internal/progress"
)

// exploreFlags are what explore and research explore share.
type exploreFlags struct {
	attempts       int
	targetCoverage float64
	images         imageFlags
	learn          learnFlags
}

func (f *exploreFlags) add(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.attempts, "attempts", 0,
		"number of attempts to stop at, refused ones included (default: no limit)")
	cmd.Flags().Float64Var(&f.targetCoverage, "target-coverage", 0.95,
		"expected fraction of pairs of states with a plan to stop at (0 to 1)")
	atLeast(cmd.Flags(), "attempts", &f.attempts, 0)
	within(cmd.Flags(), "target-coverage", &f.targetCoverage, 0, 1)
	f.images.add(cmd)
	f.learn.add(cmd)
	cmd.Flags().Lookup("resume").Usage = "continue with the recording and the models in --out"
}

// options are those of a world and a seed.
func (f *exploreFlags) options(out string, seed uint64) (explorebench.Options, error) {
	l, err := f.learn.learner("", "", seed)
	return explorebench.Options{
		Out: out, Learner: l, Budget: f.attempts, TargetCoverage: f.targetCoverage,
		Record: record.Options{Seed: seed, Size: f.images.size, Nuisance: f.images.nuisance,
			Quality: jpegQuality, Workers: f.learn.threads},
	}, err
}

func exploreCommand(c *common) *cobra.Command {
	var world worldFlags
	var out, method string
	var seed uint64
	var stateBudget int
	var excluded []int
	var f exploreFlags
	cmd := &cobra.Command{
		Use:   "explore --world NAME --out DIR",
		Short: "Let a simulated robot choose what to record, and learn while it records",
		Long: `explore lets a simulated robot choose its own attempts. At the start the robot knows
the number of its skills, and nothing else. It prefers skills that were never tried in
a state and that probably apply, here or in a state that it can reach. Then it tests
whether two states with the same code are the same. It learns again while it records,
and stops when it expects a plan for --target-coverage of all pairs of states, or after
--attempts.

With --method traces the robot learns facts from the order of its attempts, as learn
--method traces does. It chooses the attempt that tells most about what a skill needs per
second of robot time, and goes where it can be made. It needs no images until the end,
and explores all states that its skills lead to. DIR/explored.json and the output list
what is not known.

DIR/bag is the recording and DIR/bundle the best model. DIR/explored.svg and .json show
how many states were known and expected. After ^C, or to allow more attempts, --resume
continues. On a robot the node explorer does the same (ros2 launch strips_wm
explore.launch.py), with the recorder and the learner.`,
		Example: `  stripswm explore --world blocksworld --out runs/explored
  stripswm explore --world dinnertable --state-budget 100 --exclude-actions 3,4 --out runs/table
  stripswm explore --world blocksworld --out runs/explored --target-coverage 0.99 --resume
  stripswm explore --world dinnertable --method traces --out runs/whole`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" {
				return usagef("--out is needed: the folder to make")
			}
			w, err := world.world()
			if err != nil {
				return err
			}
			if err := tryFolder("--out", out, "explored.json", "explored.svg", "explored.png"); err != nil {
				return err
			}
			o, err := f.options(out, seed)
			if err != nil {
				return err
			}
			o.Within = stateBudget
			for _, a := range excluded {
				o.Excluded = append(o.Excluded, strips.ActionID(a))
			}
			if learn.Method(method) == learn.Traces {
				if stateBudget > 0 || len(f.learn.dims) > 0 || cmd.Flags().Changed("preset") {
					return usagef("--state-budget, --dims and --preset are for --method graph")
				}
				o.Learner.Preset = learn.AtMost(facts.DefaultPreset(), f.learn.steps)
				return exploreTraces(cmd, c, w, o)
			}
			return exploreAndReport(cmd, c, w, o)
		},
	}
	world.add(cmd, "world", "blocksworld", "world to explore")
	world.addStates(cmd, exploredStates)
	cmd.Flags().StringVarP(&out, "out", "o", "", "folder for everything")
	cmd.Flags().StringVar(&method, "method", string(learn.Graph), "graph: recognize states in images "+
		"while exploring; traces: learn facts from the order of attempts")
	oneOf(cmd, "method", []string{string(learn.Traces), string(learn.Graph)})
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of choices, images and training")
	cmd.Flags().IntVar(&stateBudget, "state-budget", 0,
		"number of states to explore: the robot leaves others again (default: all)")
	cmd.Flags().IntSliceVar(&excluded, "exclude-actions", nil, "ids of actions never to try")
	atLeast(cmd.Flags(), "state-budget", &stateBudget, 0)
	f.add(cmd)
	return cmd
}

// exploreAndReport explores, prints the result and writes the report of the last model.
func exploreAndReport(cmd *cobra.Command, c *common, w sim.World, o explorebench.Options) error {
	tell, done := exploreProgress(cmd.Context(), c, o.Budget)
	o.Progress = tell
	curve, err := explorebench.Explore(cmd.Context(), w, o)
	done()
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w; --resume continues it", err)
	}
	if len(curve.Points) == 0 {
		return cmp.Or(err, fmt.Errorf("%s: nothing was learned, %s: allow more --attempts", o.Out,
			curve.Reason))
	}
	if drawErr := explorebench.DrawCurve(o.Out, curve); err == nil {
		err = drawErr
	}
	if c.json {
		if jsonErr := printJSON(cmd, curve); err == nil {
			err = jsonErr
		}
		return err
	}
	out := cmd.OutOrStdout()
	for _, p := range curve.Points {
		fmt.Fprintf(out,
			"after %d attempts: %d states, plans expected for %.0f %% of all pairs, learned in %.0f s\n",
			p.Attempts, p.Nodes, 100*p.Expected, p.Seconds)
	}
	fmt.Fprintf(out, "%s: %s\n", filepath.Join(o.Out, "bundle"), curve.Reason)
	return err
}

// exploreProgress is a bar over the attempts, with what is expected and what is being learned.
func exploreProgress(ctx context.Context, c *common,
	budget int,
) (tell func(exploration.Status, string), done func()) {
	bar := progress.Start(ctx, "explore", int64(budget), progress.Options{Quiet: c.quiet || c.json})
	return func(s exploration.Status, note string) {
		bar.Set(int64(s.Attempts))
		if s.Trouble != "" && note == "" {
			note = "not learned: " + s.Trouble
		}
		if note == "" {
			note = fmt.Sprintf("%d states, %.0f more expected, plans for %.0f %% of pairs", s.States,
				s.MoreStates, 100*s.Success)
		}
		bar.Describe("explore: " + note)
	}, bar.Done
}
