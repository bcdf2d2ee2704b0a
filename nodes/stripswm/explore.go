package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"stripswm/bags"
	policy "stripswm/models/exploration"
	"stripswm/models/exploration/images"
	"stripswm/models/facts"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/msgs"
	"stripswm/nodes/cvbridge"
	"stripswm/nodes/exploration"
	"stripswm/nodes/learn"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/record"
)

func exploreCommand(c *common) *cobra.Command {
	world := worldFlags{states: allStates}
	var out string
	var seed uint64
	var excluded []int
	var explain bool
	var o exploreOptions
	var images imageFlags
	var training trainFlags
	cmd := &cobra.Command{
		Use:   "explore --world NAME --out DIR",
		Short: "Let a simulated robot choose what to record, and learn from the recording",
		Long: `explore lets a simulated robot choose its own attempts. At the start the robot knows
the number of its skills, and nothing else. It learns facts from the order of its
attempts. It chooses the attempt that tells most about what a skill needs per second of
robot time, and goes where it can be made. It explores all states that its skills lead
to. Images say when the scene was changed and when a status is wrong.

It stops when it expects a plan for --target-coverage of all pairs of states, or after
--attempts. DIR/bag is the recording. Then explore learns DIR/bundle from it, as learn
--method traces does. DIR/explored.json and the output list what is not known. --explain
says of each attempt why it is made.

After ^C or a kill, or to allow more attempts, --resume continues. On a robot the node explorer
does the same (ros2 launch strips_wm explore.launch.py), with the recorder. Learn from
that recording with learn.`,
		Example: `  stripswm explore --world blocksworld --out runs/explored
  stripswm explore --world blocksworld --out runs/explored --explain
  stripswm explore --world dinnertable --exclude-actions 3,4 --out runs/table
  stripswm explore --world blocksworld --out runs/explored --target-coverage 0.99 --resume`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			w, err := world.world()
			if err != nil {
				return err
			}
			if err := tryFolder("--out", out, "explored.json"); err != nil {
				return err
			}
			for _, a := range excluded {
				o.excluded = append(o.excluded, strips.ActionID(a))
			}
			o.images = record.Options{Seed: seed, Size: images.size, Nuisance: images.nuisance,
				Quality: jpegQuality, Workers: training.threads}
			bag := filepath.Join(out, "bag")
			if o.learner, err = training.learner([]string{bag}, out, seed); err != nil {
				return err
			}
			o.learner.Method, o.learner.Domain, o.learner.Labels = learn.Traces, w.Name(),
				sim.ActionNames(w)
			if to := cmd.OutOrStdout(); explain {
				if c.json {
					to = cmd.ErrOrStderr()
				}
				o.explain = func(sentence string) { fmt.Fprintln(to, sentence) }
			}
			return exploreAndLearn(cmd, c, w, o)
		},
	}
	world.add(cmd, "world", "blocksworld", "world to explore")
	cmd.Flags().StringVarP(&out, "out", "o", "", "folder for everything")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of choices, images and training")
	cmd.Flags().IntSliceVar(&excluded, "exclude-actions", nil, "ids of actions never to try")
	atLeast(cmd.Flags(), &o.budget, "attempts", 0, 0,
		"number of attempts to stop at, refused ones included (default: no limit)")
	within(cmd.Flags(), &o.targetCoverage, "target-coverage", 0.95, 0, 1,
		"expected fraction of pairs of states with a plan to stop at (0 to 1)")
	cmd.Flags().BoolVar(&explain, "explain", false, "print each attempt and why it is made")
	images.add(cmd)
	training.add(cmd)
	cmd.Flags().Lookup("resume").Usage = "continue with the recording and the training in --out"
	require(cmd, "out")
	return cmd
}

// exploreOptions are those of a simulated exploration.
type exploreOptions struct {
	learner        learn.Learner  // of what is recorded
	images         record.Options // and the seed
	excluded       []strips.ActionID
	budget         int                   // of attempts; 0 is none
	targetCoverage float64               // success expected, to stop at
	explain        func(sentence string) // is told each attempt and why; may be nil
}

// simRobot is a simulated robot: its attempts take no time, and a person puts its scene back into
// the initial state.
type simRobot struct {
	w     *sim.World
	rig   *record.Rig
	shown *[2]pixels.Thumbnail // before and after the last attempt
}

// Try attempts a skill.
func (r *simRobot) Try(_ context.Context, a strips.ActionID) (bags.Outcome, bool, error) {
	before, after, ok, err := r.rig.Try(a)
	if err != nil {
		return bags.Failed, false, err
	}
	r.shown = &[2]pixels.Thumbnail{}
	for i, image := range []record.Image{before, after} {
		if r.shown[i], err = simThumbnail(image); err != nil {
			return bags.Failed, false, err
		}
	}
	if ok {
		return bags.Succeeded, false, nil
	}
	return bags.Refused, false, nil
}

func simThumbnail(m msgs.Message) (pixels.Thumbnail, error) {
	p, err := cvbridge.RGB(m, 0)
	if err != nil {
		return nil, err
	}
	return images.Thumbnail(p, pixels.Camera{})
}

// Reset puts the scene into its initial state.
func (r *simRobot) Reset(context.Context, string) error {
	r.rig.Reset(r.w.Initial())
	return nil
}

// exploreAndLearn explores, keeps what became of it in explored.json, and learns a bundle from the
// recording.
func exploreAndLearn(cmd *cobra.Command, c *common, w *sim.World, o exploreOptions) error {
	if o.learner.Resume {
		if err := recoverBag(cmd, c, o.learner.Bags[0]); err != nil {
			return err
		}
	}
	status, err := explore(cmd.Context(), c, w, o)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w; --resume continues it", err)
	}
	if err != nil {
		return err
	}
	if err := writeJSON(filepath.Join(o.learner.Out, "explored.json"), status); err != nil {
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
	return learnAndReport(cmd, c, o.learner)
}

// recoverBag makes what a killed exploration left whole, or moves it out of the way.
func recoverBag(cmd *cobra.Command, c *common, bag string) error {
	report, err := bags.Recover(cmd.Context(), bag)
	if report != nil && !c.quiet {
		for _, note := range report.Notes {
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", bag, note)
		}
	}
	if _, missing := os.Lstat(bag); missing != nil {
		return nil
	}
	return err
}

// explore records attempts of a simulated robot.
func explore(ctx context.Context, c *common, w *sim.World, o exploreOptions) (
	status exploration.Status, err error) {
	p, err := policy.New(w.NumActions(), policy.Options{Seed: o.images.Seed, Excluded: o.excluded})
	if err != nil {
		return status, usageError{err}
	}
	bag, made := o.learner.Bags[0], learn.BundleDir(o.learner.Out)
	if _, err := os.Lstat(bag); errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(made); err == nil {
			return status, fmt.Errorf(
				"%s is there without an exploration's recording: choose another folder", made)
		}
	}
	rig, err := record.OpenRig(w, bag, o.images)
	resumed := o.learner.Resume && errors.Is(err, fs.ErrExist)
	if resumed {
		rig, err = record.ContinueRig(ctx, w, bag, o.images)
	}
	if err != nil {
		return status, err
	}
	defer func() { err = errors.Join(err, rig.Close()) }()
	show := c.progress(ctx)
	defer show.Done()
	show.Set("explore", 0, o.budget, "")
	robot := &simRobot{w: w, rig: rig}
	x := exploration.Explorer{Policy: images.New(p), Robot: robot, Usual: true,
		Images: func() *[2]pixels.Thumbnail { return robot.shown },
		Decode: func(i bags.Image) (pixels.Thumbnail, error) {
			m, err := i.Message()
			if err != nil {
				return nil, err
			}
			return simThumbnail(m)
		},
		Names: sim.ActionNames(w), Budget: o.budget, TargetCoverage: o.targetCoverage,
		Successes: facts.MinIntervals,
		Progress: func(s exploration.Status) {
			if s.Attempt != "" && o.explain != nil {
				o.explain(fmt.Sprintf("%d  %s", s.Attempts+1, s.Attempt))
			}
			show.Set("explore", s.Attempts, o.budget, fmt.Sprintf("%.1f h of robot time, plans for %.0f %% "+
				"of pairs, %d not known", s.Seconds/3600, 100*s.Success, len(s.Unknown)))
		}}
	if resumed {
		past, err := bags.OpenLive(bag)
		if err != nil {
			return status, err
		}
		aside := func(err error) { show.Set("explore", 0, o.budget, "left aside: "+err.Error()) }
		err = errors.Join(x.Recall(ctx, past, &status, aside), past.Close())
		if err != nil {
			return status, fmt.Errorf("go on with %s: %w", bag, err)
		}
	}
	return x.Run(ctx, status)
}
