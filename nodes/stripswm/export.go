package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
	"github.com/spf13/cobra"

	"stripswm/models/bundle"
	"stripswm/models/strips"
)

// dialects names the PDDL dialects on the command line.
var dialects = map[string]strips.Dialect{"negative": strips.NegativePreconditions, "twins": strips.PositiveTwins}

func exportCommand(_ *common) *cobra.Command {
	var dir, out, dialect string
	var from, to int
	cmd := &cobra.Command{
		Use:   "export --bundle DIR --out DIR",
		Short: "Write the learned operators as PDDL",
		Long: `export writes domain.pddl, and with --from and --to problem.pddl, for an outside
planner. Dialects: "negative" uses :negative-preconditions; "twins" compiles
them away, with a positive twin for each negated predicate. State-action pairs
that the data rules out but the preconditions do not are compiled away in both.`,
		Example: `  stripswm export --bundle runs/blocks/bundle --out runs/pddl
  stripswm export --bundle runs/blocks/bundle --out runs/pddl --dialect twins --from 0 --to 7`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if dir == "" || out == "" {
				return usagef("--bundle and --out are needed")
			}
			d, ok := dialects[dialect]
			if !ok {
				return usagef("--dialect %q: choose negative or twins", dialect)
			}
			model, err := openModel(dir)
			if err != nil {
				return err
			}
			if err := os.MkdirAll(out, 0o777); err != nil {
				return err
			}
			if err := writeWith(filepath.Join(out, "domain.pddl"), func(w io.Writer) error { return model.WriteDomain(w, d) }); err != nil {
				return err
			}
			if from < 0 && to < 0 {
				return nil
			}
			start, okStart := model.Code(strips.StateID(from))
			goal, okGoal := model.Code(strips.StateID(to))
			if !okStart || !okGoal {
				return usagef("--from %d --to %d: the model's states are 0 to %d", from, to, len(model.States)-1)
			}
			return writeWith(filepath.Join(out, "problem.pddl"), func(w io.Writer) error { return model.WriteProblem(w, d, start, goal) })
		},
	}
	cmd.Flags().StringVar(&dir, "bundle", "", "learned bundle")
	cmd.Flags().StringVarP(&out, "out", "o", "", "folder to write to")
	cmd.Flags().StringVar(&dialect, "dialect", "negative", "negative or twins")
	cmd.Flags().IntVar(&from, "from", -1, "task-graph node of the problem's start")
	cmd.Flags().IntVar(&to, "to", -1, "task-graph node of the problem's goal")
	return cmd
}

func openModel(dir string) (*strips.Model, error) {
	b, err := bundle.Open(dir)
	if err != nil {
		return nil, err
	}
	return b.Operators()
}

// writeWith writes a file, complete or not at all.
func writeWith(path string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return renameio.WriteFile(path, b.Bytes(), 0o644)
}
