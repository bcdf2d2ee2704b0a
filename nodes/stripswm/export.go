package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"stripswm/internal/files"
	"stripswm/models/bundle"
	"stripswm/models/strips"
)

// dialects names the PDDL dialects on the command line.
var dialects = map[string]strips.Dialect{"negative": strips.NegativePreconditions, "twins": strips.CompileAwayNegative}

// exportOutput is export's result for scripts.
type exportOutput struct {
	Files      []string `json:"files"` // as written, in alphabetical order
	Dialect    string   `json:"dialect"`
	Actions    int      `json:"actions"`   // ids, L
	Operators  int      `json:"operators"` // of the model; "twins" may write more
	Predicates int      `json:"predicates"`
}

func exportCommand(c *common) *cobra.Command {
	var dir, file, out, dialect string
	var from, to int
	cmd := &cobra.Command{
		Use:   "export {--bundle DIR | --model FILE} --out DIR",
		Short: "Write the learned operators as PDDL",
		Long: `export writes domain.pddl, and with --from and --to problem.pddl, for an outside
planner, and actions.json, which maps the names of the actions in a plan back to
action ids. It takes a bundle or a model of stripswm operators learn.

Dialects: "negative" has one action an operator and uses :negative-preconditions;
where the data rules out a state-action pair that the preconditions do not, or
leaves its outcome to nondeterministic outcome, it marks the state by a fluent, which takes
:conditional-effects; so does a predicate that an action toggles, and where
operators of one action overlap and inconsistent it takes :disjunctive-preconditions.
"twins" is plain :strips: it has a positive twin for each negated predicate, and
compiles all of this away into several actions an operator, up to 10000.

The operators of an action that has several are pick__v1, pick__v2 and so on.`,
		Example: `  stripswm export --bundle runs/blocks/bundle --out runs/pddl
  stripswm export --bundle runs/blocks/bundle --out runs/pddl --dialect twins --from 0 --to 7
  stripswm export --model runs/ops/model.json --out runs/pddl`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if (dir == "") == (file == "") || out == "" {
				return usagef("--out and one of --bundle and --model are needed")
			}
			d, ok := dialects[dialect]
			if !ok {
				return usagef("--dialect %q: choose negative or twins", dialect)
			}
			model, err := openModel(dir, file)
			if err != nil {
				return err
			}
			files := map[string]func(io.Writer) error{
				"domain.pddl":  func(w io.Writer) error { return model.WriteDomain(w, d) },
				"actions.json": func(w io.Writer) error { return model.WritePDDLActions(w, d) },
			}
			if cmd.Flags().Changed("from") || cmd.Flags().Changed("to") {
				start, goal, err := nodeCodes(model, from, to)
				if err != nil {
					return err
				}
				files["problem.pddl"] = func(w io.Writer) error { return model.WriteProblem(w, d, start, goal) }
			}
			if err := tryFolder("--out", out); err != nil {
				return err
			}
			said := exportOutput{Dialect: dialect, Actions: model.Actions(), Operators: len(model.Operators), Predicates: model.Predicates}
			for _, name := range slices.Sorted(maps.Keys(files)) {
				path := filepath.Join(out, name)
				if err := writeWith(path, files[name]); err != nil {
					return err
				}
				said.Files = append(said.Files, path)
			}
			if c.json {
				return printJSON(cmd, said)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&dir, "bundle", "", "learned bundle")
	cmd.Flags().StringVar(&file, "model", "", "model of stripswm operators learn: model.json or its folder")
	cmd.Flags().StringVarP(&out, "out", "o", "", "folder to write to")
	cmd.Flags().StringVar(&dialect, "dialect", "negative", "negative or twins")
	completeNames(cmd, "dialect", slices.Sorted(maps.Keys(dialects)))
	nodeFlags(cmd, &from, &to)
	return cmd
}

// openModel reads the model of a bundle, or a model alone.
func openModel(dir, file string) (*strips.Model, error) {
	if file != "" {
		return readModel(file)
	}
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
	return files.Write(path, b.Bytes())
}
