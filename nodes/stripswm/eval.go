package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"stripswm/internal/files"
	"stripswm/models/bundle"
	"stripswm/models/imageplan"
	"stripswm/nodes/eval"
	"stripswm/nodes/eval/builder"
	"stripswm/nodes/eval/report"
	"stripswm/nodes/sim"
	"stripswm/nodes/stripswm/internal/progress"
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
	cmd.Flags().IntVar(&f.queries, "queries", 200,
		"start/goal image pairs for each shortest-path horizon")
	cmd.Flags().IntVar(&f.perState, "images", 20,
		"images of each true state to classify, at each strength of the nuisance (with --truth: "+
			"recorded images that define its code)")
	cmd.Flags().BoolVar(&f.quick, "quick", false,
		"only table 1 and success by horizon: no ablation, no calibration")
	atLeast(cmd.Flags(), "queries", &f.queries, 1)
	atLeast(cmd.Flags(), "images", &f.perState, 1)
}

// evalRun is the verb: what it evaluates, and by which flags.
type evalRun struct {
	common                  *common
	bundle, truth, bag, out string
	world                   worldFlags
	seed                    uint64
	nearest                 bool
	evalFlags
	images  imageFlags
	methods methodFlags
}

func evalCommand(c *common) *cobra.Command {
	r := &evalRun{common: c}
	cmd := &cobra.Command{
		Use:   "eval --bundle DIR [--truth DIR | --bag BAG]",
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
	}
	for _, asked := range []string{"truth", "seed", "queries", "images", "quick", "nearest",
		"baseline", "method"} {
		cmd.MarkFlagsMutuallyExclusive("bag", asked)
	}
	return cmd
}

// run chooses between baselines alone, a recording, and queries to a bundle.
func (r *evalRun) run(cmd *cobra.Command) error {
	if r.bundle == "" && (len(r.methods.dirs) == 0 || r.truth != "" || r.bag != "") {
		return usagef("--bundle is needed")
	}
	if r.world.name != "" { // a mistyped name is an error before anything is opened
		if _, err := r.world.world(); err != nil {
			return err
		}
	}
	if r.bundle == "" {
		return evalBaselines(cmd, r.common, r.methods, r.world, r.evalFlags, r.images, r.out)
	}
	p, err := imageplan.Open(r.bundle, imageplan.Options{Nearest: r.nearest})
	if err != nil {
		return err
	}
	defer p.Close()
	if r.out != "" {
		read := append([]string{r.bundle, r.bag, r.truth}, r.methods.dirs...)
		if err := outside("--out", r.out, read...); err != nil {
			return err
		}
		if err := tryFolder("--out", r.out, "eval.json", "report.html"); err != nil {
			return err
		}
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
	var name string
	var found eval.Report
	if r.truth != "" {
		name = filepath.Base(r.truth)
		found, err = evalFolder(cmd, r.common, p, r.truth, f, r.seed)
	} else {
		var w sim.World
		if w, err = bundleWorld(&r.world, p.Bundle()); err != nil {
			return err
		}
		name = w.Name()
		found, err = runEval(cmd, r.common, p, w, f, r.images, r.seed)
	}
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
	if r.common.json {
		return printJSON(cmd, kept)
	}
	return printEval(cmd.OutOrStdout(), name, found)
}

// bundleWorld is the simulated world that the flags name, or else the bundle. It has to be
// the bundle's, if that says which.
func bundleWorld(f *worldFlags, b *bundle.Bundle) (sim.World, error) {
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

// evalFolder evaluates on a folder of labelled images.
func evalFolder(cmd *cobra.Command, c *common, p *imageplan.Planner, dir string, f evalFlags,
	seed uint64,
) (eval.Report, error) {
	folder, err := eval.OpenFolder(cmd.Context(), dir)
	if err != nil {
		return eval.Report{}, fmt.Errorf("%w: %w", errInput, err)
	}
	progress, done := partProgress(cmd, c)
	defer done()
	return eval.RunFolder(cmd.Context(), p, folder, eval.Options{
		Queries: f.queries, Images: f.perState, Quick: f.quick, Seed: seed,
		Workers: runtime.GOMAXPROCS(0), Progress: progress,
		Baselines: f.baselines, Methods: f.methods,
	})
}

func runEval(cmd *cobra.Command, c *common, p *imageplan.Planner, w sim.World, f evalFlags,
	images imageFlags, seed uint64,
) (eval.Report, error) {
	progress, done := partProgress(cmd, c)
	defer done()
	explored := seed // where the recording did not say
	if s := p.Bundle().Manifest.Simulation; s != nil {
		explored = s.Seed
	}
	return eval.Run(cmd.Context(), p, w, eval.Options{
		Queries: f.queries, Images: f.perState, Quick: f.quick, Seed: seed, Explored: explored,
		Size: images.size, Nuisance: images.nuisance,
		Workers: runtime.GOMAXPROCS(0), Progress: progress, Baselines: f.baselines, Methods: f.methods,
	})
}

// partProgress is a bar for each part of some work, and the end of the last.
func partProgress(cmd *cobra.Command,
	c *common,
) (tell func(part string, done, total int), end func()) {
	var bar *progress.Bar
	current := ""
	tell = func(part string, done, total int) {
		if part != current {
			bar.Done()
			current = part
			bar = progress.Start(cmd.Context(), part, int64(total), progress.Options{Quiet: c.quiet ||
				c.json})
		}
		bar.Set(int64(done))
	}
	return tell, func() { bar.Done() }
}

// writeEval writes eval.json and a report of nothing but the evaluation.
func writeEval(out, domain string, r evalOutput) error {
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	if err := writeEvalJSON(out, r); err != nil {
		return err
	}
	return report.Write(out, builder.Evaluation(domain, r.Report))
}

// writeEvalJSON writes eval.json: an evalOutput, or a heldOutput.
func writeEvalJSON(dir string, r any) error {
	data, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return files.Write(filepath.Join(dir, "eval.json"), append(data, '\n'))
}
