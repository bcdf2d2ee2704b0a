package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"stripswm/internal/files"
	"stripswm/models/bundle"
	"stripswm/models/strips"
)

// dialects names the PDDL dialects on the command line.
var dialects = map[string]strips.Dialect{"negative": strips.NegativePreconditions,
	"strips": strips.CompileAwayNegative}

// exportOutput is export's result for scripts.
type exportOutput struct {
	Files      []string `json:"files"` // as written, in alphabetical order
	Dialect    string   `json:"dialect"`
	Actions    int      `json:"actions"`   // ids, L
	Operators  int      `json:"operators"` // of the model; "strips" may write more
	Predicates int      `json:"predicates"`
}

func exportCommand(c *common) *cobra.Command {
	var dir, file, out, dialect string
	var from, to int
	cmd := &cobra.Command{
		Use:   "export {--bundle DIR | --model FILE} --out DIR",
		Short: "Write the learned operators as PDDL",
		Long: `export writes domain.pddl for an outside planner, and problem.pddl with --from and --to.
actions.json maps the action names of a plan back to action ids. The input is a bundle,
or a model of stripswm operators learn.

--dialect negative writes one action for each operator, with :negative-preconditions. It
uses :conditional-effects for predicates that an action toggles, and to exclude a single
state-action pair that the data rules out or whose outcome is nondeterministic. It uses
:disjunctive-preconditions where operators of one action overlap and disagree.

--dialect strips uses :strips alone. It compiles away negative preconditions: each
negated predicate gets a complement. An operator may become several actions, up to 10000.

If an action has several operators, they are named pick__v1, pick__v2 and so on.`,
		Example: `  stripswm export --bundle runs/blocks/bundle --out runs/pddl
  stripswm export --bundle runs/blocks/bundle --out runs/pddl --dialect strips --from 0 --to 7
  stripswm export --model runs/ops/model.json --out runs/pddl`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d := dialects[dialect]
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
			read := file
			if info, err := os.Stat(file); err == nil && info.IsDir() { // of a model, not a bundle
				read = filepath.Join(file, "model.json")
			}
			if err := outside("--out", out, dir, read); err != nil {
				return err
			}
			if err := tryFolder("--out", out); err != nil {
				return err
			}
			said := exportOutput{Dialect: dialect, Actions: model.Actions(), Operators: len(model.Operators),
				Predicates: model.Predicates}
			for _, name := range slices.Sorted(maps.Keys(files)) {
				path := filepath.Join(out, name)
				if err := writeWith(path, files[name]); err != nil {
					return err
				}
				said.Files = append(said.Files, path)
			}
			return c.print(cmd, said, func(io.Writer) {})
		},
	}
	cmd.Flags().StringVar(&dir, "bundle", "", "learned bundle")
	cmd.Flags().StringVar(&file, "model", "",
		"model of stripswm operators learn: model.json or its folder")
	cmd.Flags().StringVarP(&out, "out", "o", "", "folder to write to")
	cmd.Flags().StringVar(&dialect, "dialect", "negative", "negative or strips")
	oneOf(cmd, "dialect", slices.Sorted(maps.Keys(dialects)))
	nodeFlags(cmd, &from, &to)
	require(cmd, "out")
	cmd.MarkFlagsOneRequired("bundle", "model")
	cmd.MarkFlagsMutuallyExclusive("bundle", "model")
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
