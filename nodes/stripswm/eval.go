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
	cmd.Flags().IntVar(&f.queries, "queries", 200, "start/goal image pairs for each shortest-path horizon")
	cmd.Flags().IntVar(&f.perState, "images", 20, "images of each true state to classify, at each strength of the nuisance (with --truth: recorded ones that tell its code)")
	cmd.Flags().BoolVar(&f.quick, "quick", false, "only table 1 and success by horizon: no ablation, no calibration")
	atLeast(cmd.Flags(), "queries", &f.queries, 1)
	atLeast(cmd.Flags(), "images", &f.perState, 1)
}

func evalCommand(c *common) *cobra.Command {
	var dir, truth, bag, out string
	var domain worldFlags
	var seed uint64
	var nearest bool
	var f evalFlags
	var images imageFlags
	var methods methodFlags
	cmd := &cobra.Command{
		Use:   "eval --bundle DIR [--truth DIR | --bag BAG]",
		Short: "Measure a bundle as the paper does: tables, success by horizon, calibration",
		Long: `eval makes the paper's tables and figures from a bundle, with images that no
recording has:

  table 1      learned states against true ones (RQ1)
  success      by shortest-path horizon, executed in the ground-truth graph (RQ2); one
               query in eight also in closed loop in the simulated world, with a look
               through its camera after each skill; also without the model's
               exceptions, by direct search on the task graph (RQ3), and with the
               learned dynamics alone (the paper's WM-BFS and WM-Rollout); with --baseline
               also by what baseline learn made of the same recording. --methods chooses
  ablation     operators learned again without negative evidence (RQ4)
  calibration  the classifier's probabilities, and what abstaining saves, at 1, 1.5,
               2 and 3 times the nuisance of the recording

With --truth the world is a folder of images instead, as learn --bag takes it, with
a truth.csv beside transitions.csv: the header image,state, then an image a row and
any words for the true state it shows. The ground-truth graph is what the attempts
say of the true states; the test images are those that truth.csv lists and
transitions.csv does not use. Each (start, goal) pair is asked once at most, and a
plan counts if executing it in the graph reaches the goal: there is no world to
execute it in, and no stronger nuisance. A plan with a step that no attempt made in
that state is not evaluated, and counts apart, not as success. Pairs that the graph has no
path between are asked for, too, in a row of their own; how many pairs have no test
image is printed. A truth_graph.csv beside truth.csv lists every transition of the
world, with header state,action,next and the words of the other two files: all plans
are evaluated by it, and all pairs that it connects are asked for.

With --bag there is neither a world nor a truth: another recording of the same skills
says what followed from what. Of every attempt whose images are classified as states it
is told whether the model foresaw where it led, or that it was refused; of two
images of one static interval, whether they show one state. --out gets a sheet of attempts
that were not foreseen.

With --baseline and no --bundle the baselines alone are asked, in the world that they
were learned in.

With --out it also writes eval.json and a report.`,
		Example: `  stripswm eval --bundle runs/blocks/bundle --domain blocksworld --out runs/blocks/eval
  stripswm eval --bundle runs/blocks/bundle --domain blocksworld --quick --queries 1000 --nuisance 1.5 --json
  stripswm eval --bundle runs/blocks/bundle --baseline runs/lsr --methods lsr,wm-bfs --quick
  stripswm eval --bundle runs/mine/bundle --truth images         # with truth.csv, of any world
  stripswm eval --bundle runs/mine/bundle --bag runs/next          # on a recording that it was not learned from`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if dir == "" && (len(methods.dirs) == 0 || truth != "" || bag != "") {
				return usagef("--bundle is needed")
			}
			if domain.name != "" { // mistyped, it is told before anything is opened
				if _, err := domain.world(); err != nil {
					return err
				}
			}
			if dir == "" {
				return evalBaselines(cmd, c, methods, domain, f, images, out)
			}
			p, err := imageplan.Open(dir, imageplan.Options{Nearest: nearest})
			if err != nil {
				return err
			}
			defer p.Close()
			if out != "" {
				if err := tryFolder("--out", out, "eval.json", "report.html"); err != nil {
					return err
				}
			}
			if bag != "" {
				return evalBag(cmd, c, p, bag, out)
			}
			f.methods = methods.asked
			if f.baselines, err = methods.open(p.Bundle()); err != nil {
				return err
			}
			if !cmd.Flags().Changed("seed") {
				seed = p.Bundle().Manifest.Seed
			}
			var name string
			var r eval.Report
			if truth != "" {
				name = filepath.Base(truth)
				r, err = evalFolder(cmd, c, p, truth, f, seed)
			} else {
				var w sim.World
				if w, err = bundleWorld(&domain, p.Bundle()); err != nil {
					return err
				}
				name = w.Name()
				r, err = runEval(cmd, c, p, w, f, images, seed)
			}
			if errors.Is(err, eval.ErrMethod) {
				return usagef("--methods: %w", err)
			}
			if err != nil {
				return err
			}
			kept := evalOutput{originOf(seed, ""), r}
			if out != "" {
				if err := writeEval(out, name, kept); err != nil {
					return err
				}
			}
			if c.json {
				return printJSON(cmd, kept)
			}
			return printEval(cmd.OutOrStdout(), name, r)
		},
	}
	cmd.Flags().StringVar(&dir, "bundle", "", "learned bundle")
	cmd.Flags().StringVar(&truth, "truth", "", "folder of images with transitions.csv and truth.csv to evaluate on, instead of a simulated world")
	cmd.Flags().StringVar(&bag, "bag", "", "recording to evaluate on, a bag or a folder of images with transitions.csv, instead of a world")
	domain.add(cmd, "domain", "", "world to evaluate in (default: the bundle's, or blocksworld)")
	domain.addStates(cmd)
	cmd.Flags().StringVarP(&out, "out", "o", "", "folder for eval.json and the report")
	cmd.Flags().Uint64Var(&seed, "seed", 0, "seed of the queries and their images; the part of the world that was explored is the recording's (default: the bundle's)")
	cmd.Flags().BoolVar(&nearest, "nearest", false, "plan with the nearest known state where an image shows none")
	f.add(cmd)
	images.add(cmd)
	methods.add(cmd)
	for _, simulated := range []string{"domain", "skills", "size", "nuisance"} {
		cmd.MarkFlagsMutuallyExclusive("truth", simulated)
		cmd.MarkFlagsMutuallyExclusive("bag", simulated)
	}
	for _, asked := range []string{"truth", "seed", "queries", "images", "quick", "nearest", "baseline", "methods"} {
		cmd.MarkFlagsMutuallyExclusive("bag", asked)
	}
	return cmd
}

// bundleWorld is the simulated world that the flags name, or else the bundle. It has to be
// the bundle's, if that says which.
func bundleWorld(f *worldFlags, b *bundle.Bundle) (sim.World, error) {
	guessed := f.name == "" && b.Manifest.Domain == ""
	f.name = cmp.Or(f.name, b.Manifest.Domain, "blocksworld")
	w, err := f.world()
	if err != nil {
		return nil, err
	}
	if own := b.Manifest.Domain; own != "" && own != w.Name() {
		return nil, usagef("the bundle was learned in %s, not in %s: leave --domain and --skills out", own, w.Name())
	}
	if !guessed {
		return w, nil
	}
	g, err := b.TaskGraph()
	if err != nil {
		return nil, err
	}
	if n := g.NumActions(); n != w.NumActions() {
		return nil, usagef("the bundle has %d actions and does not say of which world, %s has %d: name its world with --domain and --skills, or a folder with --truth", n, w.Name(), w.NumActions())
	}
	return w, nil
}

// evalFolder evaluates on a folder of labelled images.
func evalFolder(cmd *cobra.Command, c *common, p *imageplan.Planner, dir string, f evalFlags, seed uint64) (eval.Report, error) {
	folder, err := eval.OpenFolder(cmd.Context(), dir)
	if err != nil {
		return eval.Report{}, fmt.Errorf("%w: %w", errInput, err)
	}
	progress, done := partProgress(cmd, c)
	defer done()
	return eval.RunFolder(cmd.Context(), p, folder, eval.Options{
		Queries: f.queries, Images: f.perState, Quick: f.quick, Seed: seed, Workers: runtime.GOMAXPROCS(0), Progress: progress,
		Baselines: f.baselines, Methods: f.methods,
	})
}

func runEval(cmd *cobra.Command, c *common, p *imageplan.Planner, w sim.World, f evalFlags, images imageFlags, seed uint64) (eval.Report, error) {
	progress, done := partProgress(cmd, c)
	defer done()
	explored := seed // where the recording did not say
	if s := p.Bundle().Manifest.Simulation; s != nil {
		explored = s.Seed
	}
	return eval.Run(cmd.Context(), p, w, eval.Options{
		Queries: f.queries, Images: f.perState, Quick: f.quick, Seed: seed, Explored: explored, Size: images.size, Nuisance: images.nuisance,
		Workers: runtime.GOMAXPROCS(0), Progress: progress, Baselines: f.baselines, Methods: f.methods,
	})
}

// partProgress is a bar for each part of some work, and the end of the last.
func partProgress(cmd *cobra.Command, c *common) (tell func(part string, done, total int), end func()) {
	var bar *progress.Bar
	current := ""
	tell = func(part string, done, total int) {
		if part != current {
			bar.Done()
			current = part
			bar = progress.Start(cmd.Context(), part, int64(total), progress.Options{Quiet: c.quiet || c.json})
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
