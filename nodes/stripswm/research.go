package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"stripswm/internal/files"
	"stripswm/models/baselines"
	"stripswm/models/bundle"
	"stripswm/models/inference"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/vision"
	"stripswm/nodes/eval/compare"
	"stripswm/nodes/eval/report"
	"stripswm/nodes/learn"
)

// researchCommand holds the verbs that compare methods and settings. A robot needs none of them.
func researchCommand(c *common) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "research",
		Short: "Compare methods and settings: baselines, experiments",
		Example: `  stripswm research baseline learn --method lsr --bag runs/bag --out runs/lsr
  stripswm research run test/experiments/skills.yaml --set seed=11
  stripswm research compare runs/results --out runs/results`,
	}
	cmd.AddCommand(baselineCommand(c), compareCommand(), experimentRunCommand(c),
		experimentRowsCommand(c), pairsCommand(), monthsCommand(c), attemptsCommand(),
		explorationCommand(), effectsCommand())
	return cmd
}

func baselineCommand(c *common) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "baseline",
		Short: "Learn and plan with the methods of the paper's comparison",
	}
	cmd.AddCommand(baselineLearnCommand(c), baselinePlanCommand(c))
	return cmd
}

// baselineOutput is what baseline learn prints.
type baselineOutput struct {
	Method  string  `json:"method"`
	Bundle  string  `json:"bundle"`
	Seconds float64 `json:"seconds"`
	Peak    int64   `json:"peak_memory_bytes"`
	Learned any     `json:"learned"`
}

func baselineLearnCommand(c *common) *cobra.Command {
	var method, bag, out string
	l := learn.BaselineLearner{Version: version()}
	var ids []string
	for _, one := range baselines.Learners() {
		ids = append(ids, one.ID)
	}
	cmd := &cobra.Command{
		Use:   "learn --method " + strings.Join(ids, "|") + " --bag BAG --out DIR",
		Short: "Learn a baseline from a recording",
		Long: `learn trains a method of the paper's comparison on a recording and writes its bundle to
DIR. eval --baseline DIR gives it the same queries as the bundle that was learned from
the same recording.

go doc stripswm/models/baselines describes each method, and where it differs from the
published one.`,
		Example: `  stripswm research baseline learn --method lsr --bag runs/bag --out runs/lsr
  stripswm eval --bundle runs/blocks/bundle --baseline runs/lsr`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if l.Method, err = baselines.LearnerOf(method); err != nil {
				return usageError{err}
			}
			l.Bag, l.Out = bag, out
			if err := newFolder("--out", out, []string{bag}); err != nil {
				return err
			}
			if err := learnable(cmd.Context(), bag); err != nil {
				return err
			}
			return learnBaseline(cmd, c, l)
		},
	}
	cmd.Flags().StringVar(&method, "method", "", "method to learn: "+strings.Join(ids, " or "))
	cmd.Flags().StringVarP(&bag, "bag", "b", "",
		"recording to learn from: a bag, or a folder of images with transitions.csv")
	cmd.Flags().StringVarP(&out, "out", "o", "", "folder of the bundle")
	cmd.Flags().Uint64Var(&l.Seed, "seed", 1, "seed of training")
	atLeast(cmd.Flags(), &l.Actions, "actions", 0, 0,
		"number of actions L (default: the highest id in the recording)")
	atLeast(cmd.Flags(), &l.Threads, "threads", learn.DefaultThreads(), 0,
		"threads of training")
	atLeast(cmd.Flags(), &l.Steps, "steps", 0, 0,
		"steps of training (default: by the recording)")
	within(cmd.Flags(), &l.ValidationFraction, "validation-fraction", 0, 0, 0.9,
		validationHelp)
	completeNames(cmd, "method", ids)
	require(cmd, "method", "bag", "out")
	return cmd
}

func learnBaseline(cmd *cobra.Command, c *common, l learn.BaselineLearner) error {
	tell, done := c.partProgress(cmd.Context())
	l.Progress = tell
	said := baselineOutput{Method: l.Method.ID, Bundle: l.Out}
	cost, err := learn.Measure(func() error {
		_, learned, err := l.Run(cmd.Context())
		if err == nil {
			said.Learned = learned.Summary
		}
		return err
	})
	done()
	if err != nil {
		return err
	}
	said.Seconds, said.Peak = cost.Seconds, cost.PeakMemory
	return encode(cmd.OutOrStdout(), said)
}

// baselinePlanOutput is baseline plan's result for scripts.
type baselinePlanOutput struct {
	Method string            `json:"method"`
	Found  bool              `json:"found"`
	Plan   []strips.ActionID `json:"plan"`
}

func baselinePlanCommand(c *common) *cobra.Command {
	var dir, method, start, goal, sheet, pddl string
	cmd := &cobra.Command{
		Use:   "plan --bundle DIR --start A.png --goal B.png",
		Short: "Plan with a baseline, and draw what it predicts",
		Long: `plan prints the action ids of a baseline's plan from a start image to a goal image. It
exits with 11 if the method finds none. Baselines do not know which steps nobody tried.

--drawing writes an image of the plan as the method predicts it: the start, its decoder's
image after each step, and the goal. --pddl writes the query as domain.pddl, problem.pddl
and actions.json for an outside planner. Both work with ama3 only.`,
		Example: `  stripswm research baseline plan --bundle runs/ama3 --start now.png --goal wanted.png --drawing plan.png
  stripswm research baseline plan --bundle runs/blocks/bundle --method wm-bfs --start now.png --goal wanted.png`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b, err := bundle.Open(dir)
			if err != nil {
				return err
			}
			chosen, err := baselineIn(b, method)
			if err != nil {
				return err
			}
			frame, err := vision.FrameOf(b)
			if err != nil {
				return err
			}
			images, err := readImages(frame.Bits, start, goal)
			if err != nil {
				return err
			}
			p, err := chosen.Open(b, inference.Options{})
			if err != nil {
				return err
			}
			defer p.Close()
			if pddl != "" {
				if err := writeQuery(p, chosen.Name, images, pddl); err != nil {
					return err
				}
			}
			plan, found, err := p.Plan(cmd.Context(), images[0], images[1])
			if errors.Is(err, baselines.ErrUnrecognized) {
				return outcome{exitUnrecognized, err.Error()}
			}
			if err != nil {
				return err
			}
			if sheet != "" && found {
				if err := writeSheet(cmd.Context(), p, chosen.Name, images, sheet); err != nil {
					return err
				}
			}
			said := baselinePlanOutput{chosen.ID, found, append([]strips.ActionID{}, plan...)}
			err = c.print(cmd, said, func(w io.Writer) {
				for _, a := range plan {
					fmt.Fprintln(w, a)
				}
			})
			if err == nil && !found {
				err = outcome{exitUnsolvable, chosen.Name + " finds no plan"}
			}
			return err
		},
	}
	cmd.Flags().StringVar(&dir, "bundle", "", "bundle of baseline learn, or of learn")
	cmd.Flags().StringVar(&method, "method", "", "baseline, if the bundle has several")
	cmd.Flags().StringVar(&start, "start", "", "image of the start, PNG or JPEG")
	cmd.Flags().StringVar(&goal, "goal", "", "image of the goal, PNG or JPEG")
	cmd.Flags().StringVar(&sheet, "drawing", "", "PNG file for the plan as the method predicts it")
	cmd.Flags().StringVar(&pddl, "pddl", "", "folder for the query in PDDL")
	require(cmd, "bundle", "start", "goal")
	return cmd
}

// baselineIn is the baseline of that id in a bundle, or the only one.
func baselineIn(b *bundle.Bundle, id string) (baselines.Baseline, error) {
	all := baselines.In(b)
	var ids []string
	for _, l := range all {
		if ids = append(ids, l.ID); l.ID == id {
			return l, nil
		}
	}
	switch {
	case len(all) == 0:
		return baselines.Baseline{},
			usagef("%s has no baseline: make one with stripswm research baseline learn", b.Dir)
	case id != "" || len(all) > 1:
		return baselines.Baseline{}, usagef("--method %q: %s has %s", id, b.Dir, strings.Join(ids, ", "))
	}
	return all[0], nil
}

// writeSheet draws a plan as the method imagines it.
func writeSheet(ctx context.Context, p baselines.Planner, name string, images []pixels.RGB,
	path string,
) error {
	imaginer, ok := p.(baselines.Imaginer)
	if !ok {
		return usagef("--drawing: %s draws nothing", name)
	}
	steps, _, err := imaginer.Imagine(ctx, images[0], images[1])
	if err != nil {
		return err
	}
	film := &report.Plan{Start: images[0].Image(), Goal: images[1].Image()}
	for _, s := range steps {
		film.Steps = append(film.Steps, report.PlanStep{Action: s.Action, Name: s.Name, State: -1,
			Image: s.Image.Image(), Shows: "as imagined"})
	}
	data, err := report.FilmStrip(film)
	if err != nil {
		return err
	}
	return files.Write(path, data)
}

// writeQuery writes operators and query as PDDL.
func writeQuery(p baselines.Planner, name string, images []pixels.RGB, dir string) error {
	s, ok := p.(baselines.Symbolic)
	if !ok {
		return usagef("--pddl: %s has no operators", name)
	}
	if err := tryFolder("--pddl", dir); err != nil {
		return err
	}
	var ends []strips.State
	for _, img := range images {
		bits, err := s.Bits(img)
		if err != nil {
			return err
		}
		ends = append(ends, bits)
	}
	const dialect = strips.NegativePreconditions
	m, actions := s.Labels()
	byName, err := m.PDDLActions(dialect)
	if err != nil {
		return err
	}
	for name, label := range byName {
		byName[name] = actions[label-1]
	}
	_, err = writeAll(dir, map[string]func(io.Writer) error{
		"domain.pddl":  func(w io.Writer) error { return m.WriteDomain(w, dialect) },
		"problem.pddl": func(w io.Writer) error { return m.WriteProblem(w, dialect, ends[0], ends[1]) },
		"actions.json": func(w io.Writer) error { return encode(w, byName) },
	})
	return err
}

func compareCommand() *cobra.Command {
	var out, over string
	var worlds []string
	cmd := &cobra.Command{
		Use:   "compare DIR... --out DIR",
		Short: "Draw the success of each method from evaluations, with confidence intervals",
		Long: `compare reads evaluations from folders: WORLD-SEED-eval.json (the eval.json of stripswm
eval) and WORLD-SEED-baselines.json (the output of eval --baseline --json). It draws a
curve of success for each world and method, over the length of the shortest path or over
the number of recorded transitions, and writes success-by-horizon or
success-by-transitions as .svg and .png.

Success is the fraction of distinct pairs of start and goal, over all seeds. A pair is
solved if all its queries are. Intervals are Wilson's, 95 %, over the pairs.`,
		Example: `  stripswm research compare runs/results --out runs/results
  stripswm research compare runs/results --out runs/results --world blocksworld,dinnertable
  stripswm research compare runs/samples/100 runs/samples/25 --over transitions --out runs/samples`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, dirs []string) error {
			runs, err := compare.Read(dirs...)
			if err != nil {
				return fmt.Errorf("%w: %w", errInput, err)
			}
			all, err := compare.Compare(runs, worlds, compare.Axis(over))
			if err != nil {
				return usageError{err}
			}
			if err := compare.Draw(out, all, compare.Axis(over)); err != nil {
				return err
			}
			return encode(cmd.OutOrStdout(), all)
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "folder for the figure")
	cmd.Flags().StringVar(&over, "over", string(compare.Horizon),
		"horizontal axis: horizon or transitions")
	oneOf(cmd, "over", compare.Axes())
	cmd.Flags().StringSliceVar(&worlds, "world", nil, "worlds to draw, in this order (default: all)")
	require(cmd, "out")
	return cmd
}
