package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"stripswm/models/baselines"
	"stripswm/models/bundle"
	"stripswm/models/imageplan"
	"stripswm/nodes/eval"
	"stripswm/nodes/eval/report"
	"stripswm/nodes/learn"
	"stripswm/nodes/sim"
)

// evalOutput is eval.json.
type evalOutput struct {
	Run provenance `json:"run"`
	eval.Report
}

// evalFlags are what eval and demo share.
type evalFlags struct {
	queries, perState int
	quick             bool
	// Of eval alone: bundles of baselines, and the methods to ask (eval.Options).
	baselines []*bundle.Bundle
	methods   []string
}

func (f *evalFlags) add(cmd *cobra.Command) {
	atLeast(cmd.Flags(), &f.queries, "queries", 200, 1,
		"start/goal image pairs for each shortest-path horizon")
	atLeast(cmd.Flags(), &f.perState, "images", 20, 1,
		"images of each true state to classify, at each strength of the nuisance (with --truth: "+
			"recorded images that define its code)")
	cmd.Flags().BoolVar(&f.quick, "quick", false,
		"only table 1 and success by horizon: no ablation, no calibration, no images of no state")
}

// evalRun is the verb: what it evaluates, and by which flags.
type evalRun struct {
	common                               *common
	bundle, truth, bag, photographs, out string
	world                                worldFlags
	seed                                 uint64
	nearest                              bool
	evalFlags
	images  imageFlags
	methods methodFlags
}

func evalCommand(c *common) *cobra.Command {
	r := &evalRun{common: c}
	cmd := &cobra.Command{
		Use:   "eval --bundle DIR [--truth DIR | --bag BAG | --photographs DIR]",
		Short: "Measure a bundle as the paper does: tables, success by horizon, calibration",
		Long: `eval makes the paper's tables and figures from a bundle, with new images:

  table 1      learned states against true states (RQ1)
  success      by shortest-path horizon, executed in the ground-truth graph (RQ2), and
               for one query in eight in closed loop in the simulated world; the same
               without the model's exceptions, by direct search on the task graph (RQ3),
               with the learned dynamics alone (the paper's WM-BFS and WM-Rollout), and
               by each --baseline. --method selects some of these. If the whole world was
               open to the robot (record --states all), start and goal are states that the
               recording does not have, as far as there are two
  ablation     operators learned again without negative evidence (RQ4)
  calibration  the classifier's probabilities, and success with abstention, at 1, 1.5, 2
               and 3 times the nuisance of the recording

--truth evaluates on a folder of images instead, with transitions.csv (see stripswm
import images --help) and truth.csv, which names the true state of each image:

  image,state
  img/1.png,mug on shelf
  test/1.png,mug on shelf

The attempts of transitions.csv define the ground-truth graph. The images that only
truth.csv lists are the test images. Each pair of start and goal is a query at most once.
A plan succeeds if it reaches the goal in the graph. A plan with a step that no attempt
made is not evaluated, and is counted separately. An optional truth_graph.csv lists all
transitions of the world, so that all plans are evaluated:

  state,action,next
  mug on shelf,pick_mug,mug in hand

--bag evaluates on another recording of the same skills, without true states. For each
attempt it reports whether the model predicted its result, and for two images of one
static interval whether they get one state. --out draws the attempts that were not
predicted.

--photographs says how many images of a folder the bundle plans from, as they are and with
camera and light changed, by the first part of their names, as in arm_03.jpg. Of changed
images those are wrong that are accepted as another state than the image itself.

--baseline without --bundle evaluates the baselines alone.

--out writes eval.json and a report.`,
		Example: `  stripswm eval --bundle runs/blocks/bundle --world blocksworld --out runs/blocks/eval
  stripswm eval --bundle runs/blocks/bundle --world blocksworld --quick --queries 1000 --nuisance 1.5 --json
  stripswm eval --bundle runs/blocks/bundle --baseline runs/lsr --method lsr,wm-bfs --quick
  stripswm eval --bundle runs/mine/bundle --truth images         # with truth.csv, of any world
  stripswm eval --bundle runs/mine/bundle --bag runs/next          # on a recording that it was not learned from`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return r.run(cmd) },
	}
	flags := cmd.Flags()
	flags.StringVar(&r.bundle, "bundle", "", "learned bundle")
	flags.StringVar(&r.truth, "truth", "",
		"folder of images with transitions.csv and truth.csv, instead of a simulated world")
	flags.StringVar(&r.bag, "bag", "",
		"recording, or folder of images with transitions.csv, instead of a world")
	flags.StringVar(&r.photographs, "photographs", "",
		"folder of images named KIND_*.jpg or .png, to change camera and light of")
	r.world.add(cmd, "world", "", "world to evaluate in (default: the bundle's, or blocksworld)")
	r.world.addStates(cmd, "")
	flags.StringVarP(&r.out, "out", "o", "", "folder for eval.json and the report")
	flags.Uint64Var(&r.seed, "seed", 0, "seed of the queries and their images (default: the bundle's)")
	flags.BoolVar(&r.nearest, "nearest", false, nearestHelp)
	r.add(cmd)
	r.images.add(cmd)
	r.methods.add(cmd)
	for _, simulated := range []string{"world", "skills", "states", "size", "nuisance"} {
		cmd.MarkFlagsMutuallyExclusive("truth", simulated)
		cmd.MarkFlagsMutuallyExclusive("bag", simulated)
		cmd.MarkFlagsMutuallyExclusive("photographs", simulated)
	}
	for _, asked := range []string{"truth", "seed", "queries", "images", "quick", "nearest",
		"baseline", "method"} {
		cmd.MarkFlagsMutuallyExclusive("bag", asked)
		cmd.MarkFlagsMutuallyExclusive("photographs", asked)
	}
	for _, other := range []string{"bag", "out"} {
		cmd.MarkFlagsMutuallyExclusive("photographs", other)
	}
	return cmd
}

// run chooses between baselines alone, a recording, and queries to a bundle.
func (r *evalRun) run(cmd *cobra.Command) error {
	if r.bundle == "" && (len(r.methods.dirs) == 0 || r.truth+r.bag+r.photographs != "") {
		return usagef("--bundle is needed")
	}
	if r.world.name != "" { // a mistyped name is an error before anything is opened
		if _, err := r.world.world(); err != nil {
			return err
		}
	}
	if r.bundle == "" {
		return r.alone(cmd)
	}
	p, err := imageplan.Open(r.bundle, imageplan.Options{Nearest: r.nearest})
	if err != nil {
		return err
	}
	defer p.Close()
	if r.out != "" {
		read := append([]string{r.bundle, r.bag, r.truth}, r.methods.dirs...)
		if err := newFolder("--out", r.out, read, "eval.json", "report.html"); err != nil {
			return err
		}
	}
	if r.photographs != "" {
		found, err := eval.RecognizePhotographs(cmd.Context(), p, r.photographs)
		if err != nil {
			return err
		}
		return r.common.print(cmd, found, func(w io.Writer) {
			t := newTable(w)
			for _, k := range found {
				printKinds(t, k.Kind, k.Changes, false)
			}
			t.Flush()
		})
	}
	if r.bag != "" {
		return evalBag(cmd, r.common, p, r.bag, r.out)
	}
	return r.queries(cmd, p)
}

// queries evaluates a bundle in its world or on a folder, and writes what it finds.
func (r *evalRun) queries(cmd *cobra.Command, p *imageplan.Planner) (err error) {
	f := r.evalFlags
	f.methods = r.methods.asked
	if f.baselines, err = r.methods.open(p.Bundle()); err != nil {
		return err
	}
	if !cmd.Flags().Changed("seed") {
		r.seed = p.Bundle().Manifest.Seed
	}
	o := f.options(p.Bundle(), r.images, r.seed)
	tell, done := r.common.partProgress(cmd.Context())
	o.Progress = tell
	var name string
	var found eval.Report
	if r.truth != "" {
		name = filepath.Base(r.truth)
		var folder *eval.Folder
		if folder, err = eval.OpenFolder(cmd.Context(), r.truth); err != nil {
			return fmt.Errorf("%w: %w", errInput, err)
		}
		found, err = eval.RunFolder(cmd.Context(), p, folder, o)
	} else {
		var w *sim.World
		if w, err = bundleWorld(&r.world, p.Bundle()); err != nil {
			return err
		}
		name = w.Name()
		found, err = eval.Run(cmd.Context(), p, w, o)
	}
	done()
	if errors.Is(err, eval.ErrMethod) {
		return usagef("--method: %w", err)
	}
	if err != nil {
		return err
	}
	kept := evalOutput{originOf(r.seed, ""), found}
	if r.out != "" {
		if err := writeEval(r.out, name, kept); err != nil {
			return err
		}
	}
	return r.common.print(cmd, kept, func(w io.Writer) { printEval(w, name, found) })
}

// bundleWorld is the simulated world that the flags name, or else the bundle. It has to be
// the bundle's, if that says which.
func bundleWorld(f *worldFlags, b *bundle.Bundle) (*sim.World, error) {
	guessed := f.name == "" && b.Manifest.Domain == ""
	f.name = cmp.Or(f.name, b.Manifest.Domain, "blocksworld")
	if err := f.recorded(b); err != nil {
		return nil, err
	}
	w, err := f.world()
	if err != nil {
		return nil, err
	}
	if own := b.Manifest.Domain; own != "" && own != w.Name() {
		return nil, usagef("the bundle was learned in %s, not in %s: omit --world and --skills", own,
			w.Name())
	}
	if !guessed {
		return w, nil
	}
	g, err := b.TaskGraph()
	if err != nil {
		return nil, err
	}
	if n := g.NumActions(); n != w.NumActions() {
		return nil,
			usagef(
				"the bundle has %d actions and does not say of which world, %s has %d: name its world with "+
					"--world and --skills, or a folder with --truth", n, w.Name(), w.NumActions())
	}
	return w, nil
}

// options are those of an evaluation of a bundle.
func (f evalFlags) options(b *bundle.Bundle, images imageFlags, seed uint64) eval.Options {
	explored := seed // where the recording did not say
	if b.Manifest.Simulation != nil {
		explored = b.Manifest.Simulation.Seed
	}
	return eval.Options{Queries: f.queries, Images: f.perState, Quick: f.quick, Seed: seed,
		Explored: explored, Size: images.size, Nuisance: images.nuisance,
		Workers: runtime.GOMAXPROCS(0), Baselines: f.baselines, Methods: f.methods}
}

// partProgress shows the parts of some work, until end.
func (c *common) partProgress(ctx context.Context) (
	tell func(part string, done, total int), end func(),
) {
	show := c.progress(ctx)
	return func(part string, done, total int) { show.Set(part, done, total, "") }, show.Done
}

// writeEval writes eval.json and a report of nothing but the evaluation.
func writeEval(out, domain string, r evalOutput) error {
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	if err := writeJSON(filepath.Join(out, "eval.json"), r); err != nil {
		return err
	}
	return report.Write(out, report.OfEvaluation(domain, r.Report))
}

// heldOutput is eval.json of a recording.
type heldOutput struct {
	Run provenance `json:"run"`
	*eval.HeldOut
}

// evalBag evaluates a bundle on a recording, without a world: on one that it was learned from, only
// the transitions that were not learned from.
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
	known, err := eval.LearnedFrom(b, bag)
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
	show := c.progress(cmd.Context())
	r, err := eval.RunHeldOut(cmd.Context(), p, recording, func(done, _ int) {
		show.Set("recognize images", done, recording.Data.Images(), "")
	})
	show.Done()
	if err != nil {
		return err
	}
	r.Known = known
	kept := heldOutput{originOf(b.Manifest.Seed, ""), r}
	if out != "" {
		err := cmp.Or(os.MkdirAll(out, 0o777), writeJSON(filepath.Join(out, "eval.json"), kept),
			report.HeldOut(out, r, recording))
		if err != nil {
			return err
		}
	}
	return c.print(cmd, kept, func(w io.Writer) { printHeldOut(w, r) })
}

func printHeldOut(out io.Writer, r *eval.HeldOut) {
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
	t := newTable(out)
	t.row("skill", "transitions", "evaluated", "predicted", "led elsewhere", "excluded", "undecided",
		"refused", "evaluated", "predicted", "not", "undecided")
	for _, s := range append(slices.Clone(r.Skills), r.All) {
		t.row(s.Name, s.Transitions, s.Evaluated, percent(s.Predicted, s.Evaluated), s.Elsewhere,
			s.Excluded, s.Evaluated-s.Predicted-s.Elsewhere-s.Excluded, s.Refusals, s.RefusalsEvaluated,
			percent(s.RefusalsForeseen, s.RefusalsEvaluated), s.RefusalsNot,
			s.RefusalsEvaluated-s.RefusalsForeseen-s.RefusalsNot)
	}
	t.Flush()
}

// methodFlags say which methods eval compares.
type methodFlags struct {
	dirs  []string // bundles of baseline learn
	asked []string
}

func (f *methodFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.dirs, "baseline", nil,
		"bundle of research baseline learn for the same queries; may be repeated")
	cmd.Flags().StringSliceVar(&f.asked, "method", nil,
		"methods to compare, such as lsr,wm-bfs (default: all in the bundles)")
	ids := []string{"no-exceptions"}
	for _, l := range baselines.All() {
		ids = append(ids, l.ID)
	}
	completeNames(cmd, "method", ids)
}

// open opens the baselines. They must be learned from the bundle's recording (from one
// recording if own is nil): a comparison on different data says nothing about the methods.
func (f *methodFlags) open(own *bundle.Bundle) ([]*bundle.Bundle, error) {
	var all []*bundle.Bundle
	for _, dir := range f.dirs {
		b, err := bundle.Open(dir)
		if err != nil {
			return nil, err
		}
		if len(baselines.In(b)) == 0 {
			return nil,
				usagef(
					"--baseline %s: the bundle has no baseline: make one with stripswm research baseline learn",
					dir)
		}
		if own == nil {
			own = b
		}
		if mine := own.Manifest.Inputs; len(mine) > 0 && !slices.Equal(b.Manifest.Inputs, mine) {
			return nil,
				usagef(
					"--baseline %s: it was learned from another recording than %s: learn it again from that one",
					dir, own.Dir)
		}
		all = append(all, b)
	}
	return all, nil
}

// baselinesOutput is the result of baselines alone.
type baselinesOutput struct {
	Run     provenance    `json:"run"`
	Methods []eval.Method `json:"methods"`
}

// alone evaluates baselines without a bundle, and prints success by horizon.
func (r *evalRun) alone(cmd *cobra.Command) error {
	if len(r.methods.asked) > 0 || r.out != "" {
		return usagef("--method and --out need --bundle")
	}
	all, err := r.methods.open(nil)
	if err != nil {
		return err
	}
	own := all[0].Manifest
	if r.world.name == "" && own.Simulation == nil {
		return usagef("%s does not say of which world its recording is: name it with --world", all[0].Dir)
	}
	r.world.name = cmp.Or(r.world.name, own.Domain)
	if err := r.world.recorded(all[0]); err != nil {
		return err
	}
	w, err := r.world.world()
	if err != nil {
		return err
	}
	o := r.options(all[0], r.images, own.Seed)
	if o.Baselines = all; cmd.Flags().Changed("seed") {
		o.Seed = r.seed
	}
	tell, done := r.common.partProgress(cmd.Context())
	o.Progress = tell
	methods, err := eval.RunBaselines(cmd.Context(), w, o)
	done()
	if err != nil {
		return err
	}
	return r.common.print(cmd, baselinesOutput{originOf(o.Seed, ""), methods}, func(w io.Writer) {
		t := newTable(w)
		for _, m := range methods {
			printHorizons(t, m.Name+": horizon", eval.Report{Horizons: m.Horizons})
		}
	})
}
