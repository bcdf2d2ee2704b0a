package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"stripswm/models/strips"
	"stripswm/nodes/eval/explorebench"
	"stripswm/nodes/exploration"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/record"
	"stripswm/nodes/stripswm/internal/progress"
)

// exploreFlags are what an exploration and its comparison with a policy share.
type exploreFlags struct {
	budget int
	until  float64
	images imageFlags
	learn  learnFlags
}

func (f *exploreFlags) add(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.budget, "attempts", 0, "most attempts, refused ones counted (default: none)")
	cmd.Flags().Float64Var(&f.until, "until", 0.95, "share of all pairs of states that a way is expected for, to end at (0 to 1)")
	atLeast(cmd.Flags(), "attempts", &f.budget, 0)
	within(cmd.Flags(), "until", &f.until, 0, 1)
	f.images.add(cmd)
	f.learn.add(cmd)
	cmd.Flags().Lookup("resume").Usage = "go on with the recording and what was learned in --out"
}

// options are those of a world and a seed.
func (f *exploreFlags) options(out string, seed uint64) (explorebench.Options, error) {
	l, err := f.learn.learner("", "", seed)
	return explorebench.Options{
		Out: out, Learner: l, Budget: f.budget, TargetCoverage: f.until,
		Record: record.Options{Seed: seed, Size: f.images.size, Nuisance: f.images.nuisance, Quality: jpegQuality, Workers: f.learn.threads},
	}, err
}

func exploreCommand(c *common) *cobra.Command {
	var world worldFlags
	var out string
	var seed uint64
	var stateBudget int
	var excluded []int
	var f exploreFlags
	var bench benchFlags
	cmd := &cobra.Command{
		Use:   "explore --world NAME --out DIR",
		Short: "Have a simulated robot record by itself: choose what to try, and learn on the way",
		Long: `explore lets a robot loose on a simulated world that knows nothing of its skills but
how many there are. It tries one, sees what came of it, and chooses the next: what is
likely to apply and was never tried, near or far, and then what two states that look
alike would show. It learns again as it goes on, and ends when it expects to know a way
between --until of all pairs of states, or when --attempts are spent.

DIR/bag is the recording, DIR/bundle the best that was learned, DIR/explored.svg and
.json how much was known and expected on the way. After ^C, or to allow more attempts,
--resume goes on with them. On a rig the same is done by the node explorer (ros2 launch strips_wm
explore.launch.py), with the recorder and the learner.

With --bench it says how many attempts that takes, beside a robot that draws all
skills evenly: for each seed both explore and learn as they go, and every model is
asked for ways between all states, from new images. DIR/WORLD-SEED.json and
DIR/success-by-attempts.svg have it; what is there already is not done again, and
--resume goes on with a seed that ^C cut short.`,
		Example: `  stripswm explore --world blocksworld --out runs/explored
  stripswm explore --world dinnertable --skills coarse --stay-within 100 --forbid 3,4 --attempts 500 --out runs/table
  stripswm explore --world blocksworld --out runs/explored --until 0.99 --resume
  stripswm explore --bench --world blocksworld --seeds 1,2,3 --attempts 400 --walk 2000 --out runs/attempts`,
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
			if bench.on {
				return bench.run(cmd, c, w, &f, out)
			}
			o, err := f.options(out, seed)
			if err != nil {
				return err
			}
			o.Within = stateBudget
			for _, a := range excluded {
				o.Excluded = append(o.Excluded, strips.ActionID(a))
			}
			return exploreAndReport(cmd, c, w, o)
		},
	}
	world.add(cmd, "world", "blocksworld", "world to explore")
	world.addStates(cmd)
	cmd.Flags().StringVarP(&out, "out", "o", "", "folder for everything")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of choices, images and training")
	cmd.Flags().IntVar(&stateBudget, "stay-within", 0, "states to explore, the first that are seen: others are left again (default: all)")
	cmd.Flags().IntSliceVar(&excluded, "forbid", nil, "ids of actions never to try")
	atLeast(cmd.Flags(), "stay-within", &stateBudget, 0)
	f.add(cmd)
	bench.add(cmd)
	return cmd
}

// exploreAndReport explores, prints what came of it and writes the report of what was learned last.
func exploreAndReport(cmd *cobra.Command, c *common, w sim.World, o explorebench.Options) error {
	tell, done := exploreProgress(cmd.Context(), c, o.Budget)
	o.Progress = tell
	curve, err := explorebench.Explore(cmd.Context(), w, o)
	done()
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w; --resume goes on with it", err)
	}
	if len(curve.Points) == 0 {
		return cmp.Or(err, fmt.Errorf("%s: nothing was learned, %s: allow more --attempts", o.Out, curve.Why))
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
		fmt.Fprintf(out, "after %d attempts: %d states, way between %.0f %% of all pairs expected, learned in %.0f s\n", p.Attempts, p.Nodes, 100*p.Expected, p.Seconds)
	}
	fmt.Fprintf(out, "%s: %s\n", filepath.Join(o.Out, "bundle"), curve.Why)
	return err
}

// exploreProgress is a bar over the attempts, that says what is expected and what is being learned.
func exploreProgress(ctx context.Context, c *common, budget int) (tell func(exploration.Status, string), done func()) {
	bar := progress.Start(ctx, "explore", int64(budget), progress.Options{Quiet: c.quiet || c.json})
	return func(s exploration.Status, note string) {
		bar.Set(int64(s.Attempts))
		if s.Trouble != "" && note == "" {
			note = "not learned: " + s.Trouble
		}
		if note == "" {
			note = fmt.Sprintf("%d states, %.0f more expected, way between %.0f %% of pairs", s.States, s.MoreStates, 100*s.Success)
		}
		bar.Describe("explore: " + note)
	}, bar.Done
}
