package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"stripswm/nodes/eval"
	"stripswm/nodes/eval/compare"
)

func compareCommand(c *common) *cobra.Command {
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
solved if all its queries are. Intervals are Wilson's, 95 %, over the pairs.

A second table has what became of STRIPS-WM's plans and images in each simulated world:
plans by the ground-truth graph and in closed loop, and what the recognition check did.`,
		Example: `  stripswm research compare runs/results --out runs/results
  stripswm research compare runs/results --out runs/results --world blocksworld,dinnertable --json
  stripswm research compare runs/samples/100 runs/samples/25 --over transitions --out runs/samples`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("name the folders with the evaluations to compare")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, dirs []string) error {
			if out == "" {
				return usagef("--out is needed")
			}
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
			if c.json {
				return printJSON(cmd, all)
			}
			if err := printComparison(cmd.OutOrStdout(), all, compare.Axis(over)); err != nil {
				return err
			}
			return printSimulated(cmd.OutOrStdout(), runs)
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "folder for the figure")
	cmd.Flags().StringVar(&over, "over", string(compare.Horizon),
		"horizontal axis: horizon or transitions")
	oneOf(cmd, "over", compare.Axes())
	cmd.Flags().StringSliceVar(&worlds, "world", nil, "worlds to draw, in this order (default: all)")
	return cmd
}

// printSimulated prints what became of plans and images of STRIPS-WM in simulated worlds, for each
// evaluation. Where the recording lacks states, plans are between these.
func printSimulated(out io.Writer, runs []compare.Run) error {
	runs = slices.DeleteFunc(slices.Clone(runs), func(r compare.Run) bool {
		return r.Report.Faulty == nil || len(r.Report.Faulty.Good) == 0
	})
	if len(runs) == 0 {
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "\n\t\tpercent of plans\t\t\t\t\tpercent of images\t\t\n"+
		"run\tnot recorded\tsolved\twrong\tclosed loop\tmistaken\tset up again\tgood refused\t"+
		"unrelated accepted\t")
	for _, f := range runs[0].Report.Faulty.Faults {
		fmt.Fprintf(w, "%s\t", f.Kind)
	}
	fmt.Fprintln(w)
	for _, r := range runs {
		h, _ := total(r.Report.Horizons)
		fmt.Fprintf(w, "%s-%d\t%d\t%s\t%s\t%s\t%s\t%s\t", r.World, r.Seed, r.Report.Unrecorded,
			percent(h.SolvedGraph, h.Queries), percent(h.WrongPlan, h.Queries),
			percent(h.Reached, h.Executed), percent(h.Mistaken, h.Executed),
			percent(h.SetUpAgain, h.Executed))
		good := r.Report.Faulty.Good[0]
		fmt.Fprintf(w, "%s\t%s\t", percent(good.Images-good.Right-good.Wrong, good.Images),
			accepted(r.Report.Unrelated...))
		for _, f := range r.Report.Faulty.Faults {
			fmt.Fprintf(w, "%s\t", accepted(f))
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

// accepted is the share of images that are classified as any state.
func accepted(kinds ...eval.OutOfDistribution) string {
	images, taken := 0, 0
	for _, k := range kinds {
		images, taken = images+k.Images, taken+k.Right+k.Wrong
	}
	return percent(taken, images)
}

// printComparison prints what each method comes to over all horizons, or of each number of
// transitions.
func printComparison(out io.Writer, all []compare.World, over compare.Axis) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "world\tmethod\t%s\truns\tpairs\tsolved\t95 %%\t\n", over)
	row := func(world, method, at string, s compare.Success) {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%.1f %%\t%.1f to %.1f\t\n", world, method, at, s.Runs,
			s.Pairs, s.Percent(), s.Low, s.High)
	}
	for _, world := range all {
		for _, m := range world.Methods {
			switch {
			case m.All.Runs == 0:
			case over == compare.Transitions:
				for _, p := range m.Points {
					row(world.Name, m.Name, strconv.Itoa(p.X), p.Success)
				}
			default:
				row(world.Name, m.Name, "all", m.All)
			}
		}
	}
	return w.Flush()
}
