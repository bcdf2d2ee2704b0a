package main

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"stripswm/models/baselines"
	"stripswm/nodes/learn"
)

func baselineCommand(c *common) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "baseline",
		Short: "Learn and plan with the methods of the paper's comparison",
	}
	cmd.AddCommand(baselineLearnCommand(c), baselinePlanCommand(c))
	return cmd
}

// baselineOutput is baseline learn's result for scripts.
type baselineOutput struct {
	Method  string       `json:"method"`
	Bundle  string       `json:"bundle"`
	Seconds float64      `json:"seconds"`
	Peak    int64        `json:"peak_memory_bytes"`
	Learned fmt.Stringer `json:"learned"`
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
			if method == "" || bag == "" || out == "" {
				return usagef("--method, --bag and --out are needed")
			}
			if l.Method, err = baselines.LearnerOf(method); err != nil {
				return usageError{err}
			}
			l.Bag, l.Out = bag, out
			if err := outside("--out", out, bag); err != nil {
				return err
			}
			if err := tryFolder("--out", out); err != nil {
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
	cmd.Flags().IntVar(&l.Actions, "actions", 0,
		"number of actions L (default: the highest id in the recording)")
	cmd.Flags().IntVar(&l.Threads, "threads", min(runtime.GOMAXPROCS(0), 8), "threads of training")
	cmd.Flags().IntVar(&l.Steps, "steps", 0, "steps of training (default: by the recording)")
	cmd.Flags().Float64Var(&l.ValidationFraction, "validation-fraction", 0, validationHelp)
	atLeast(cmd.Flags(), "actions", &l.Actions, 0)
	atLeast(cmd.Flags(), "threads", &l.Threads, 0)
	atLeast(cmd.Flags(), "steps", &l.Steps, 0)
	within(cmd.Flags(), "validation-fraction", &l.ValidationFraction, 0, 0.9)
	completeNames(cmd, "method", ids)
	return cmd
}

func learnBaseline(cmd *cobra.Command, c *common, l learn.BaselineLearner) error {
	tell, done := partProgress(cmd, c)
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
	if c.json {
		return printJSON(cmd, said)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s\nbundle        %s, in %.0f s\n", said.Learned, said.Bundle,
		said.Seconds)
	return nil
}
