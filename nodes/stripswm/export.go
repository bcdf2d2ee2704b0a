package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"stripswm/internal/files"
	"stripswm/models/bundle"
	"stripswm/models/schemas"
	"stripswm/models/strips"
	"stripswm/nodes/eval/report"
)

// dialects names the PDDL dialects on the command line.
var dialects = map[string]strips.Dialect{"negative": strips.NegativePreconditions,
	"strips": strips.CompileAwayNegative}

// exportOutput is export's result for scripts.
type exportOutput struct {
	Files      []string        `json:"files"` // as written, in alphabetical order
	Dialect    string          `json:"dialect"`
	Actions    int             `json:"actions"`   // ids, L
	Operators  int             `json:"operators"` // of the model; "strips" may write more
	Predicates int             `json:"predicates"`
	Lifted     *schemas.Lifted `json:"lifted,omitempty"`
}

func exportCommand(c *common) *cobra.Command {
	var dir, file, out, dialect, names string
	var from, to int
	var lift bool
	cmd := &cobra.Command{
		Use:   "export {--bundle DIR | --model FILE} --out DIR",
		Short: "Write the learned operators as PDDL",
		Long: `export writes domain.pddl for an outside planner, and problem.pddl with --from and --to.
actions.json maps the actions of a plan, such as pick mug sort2_3, back to action ids: words
with one space between them, without parentheses. The input is a bundle, or a model of
stripswm operators learn.

--dialect negative writes one action for each operator, with :negative-preconditions. It
uses :conditional-effects for predicates that an action toggles, and to exclude a single
state-action pair that the data rules out or whose outcome is nondeterministic. It uses
:disjunctive-preconditions where operators of one action overlap and disagree.

--dialect strips uses :strips alone. It compiles away negative preconditions: each
negated predicate gets a complement. An operator may become several actions, up to 10000.

If an action has several operators, they are named pick__v1, pick__v2 and so on.

--lifted finds objects, places and the like behind the ids, and writes actions with
parameters. It prints groups of facts of which one holds, sorts of objects, and the action
of each id. The domain allows exactly what the model allows: what is like nothing else is
an action without parameters. problem.pddl says which objects go together, and has neither
start nor goal without --from and --to. objects.jpg shows what a bundle of facts knows of
the looks of its objects, at each place. A model that refuses actions in single states is
refused. --names FILE gives what it writes other names: lines such as sort2_3: shelf. For
all that shows a bundle, see stripswm rename.`,
		Example: `  stripswm export --bundle runs/blocks/bundle --out runs/pddl
  stripswm export --bundle runs/blocks/bundle --out runs/pddl --dialect strips --from 0 --to 7
  stripswm export --model runs/ops/model.json --out runs/pddl
  stripswm export --bundle runs/table/bundle --out runs/pddl --lifted`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if names != "" && !lift {
				return usagef("--names is for --lifted")
			}
			d := dialects[dialect]
			model, err := openModel(dir, file)
			if err != nil {
				return err
			}
			var states []*strips.State
			if cmd.Flags().Changed("from") || cmd.Flags().Changed("to") {
				start, goal, err := nodeCodes(model, from, to)
				if err != nil {
					return err
				}
				states = []*strips.State{&start, &goal}
			}
			said := exportOutput{Dialect: dialect, Actions: model.Actions(),
				Operators: len(model.Operators), Predicates: model.Predicates}
			files := map[string]func(io.Writer) error{
				"domain.pddl":  func(w io.Writer) error { return model.WriteDomain(w, d) },
				"actions.json": func(w io.Writer) error { return model.WritePDDLActions(w, d) },
			}
			if states != nil {
				files["problem.pddl"] = func(w io.Writer) error {
					return model.WriteProblem(w, d, *states[0], *states[1])
				}
			}
			if lift {
				lifted, err := schemas.Lift(model)
				if err != nil {
					return err
				}
				if names != "" {
					if err := rename(lifted, names); err != nil {
						return err
					}
				}
				said.Lifted = lifted
				files = liftedFiles(lifted, states)
				if dir != "" {
					picture, err := drawObjects(dir, lifted)
					if err != nil {
						return err
					}
					if picture != nil {
						files["objects.jpg"] = func(w io.Writer) error {
							_, err := w.Write(picture)
							return err
						}
					}
				}
			}
			read := file
			if info, err := os.Stat(file); err == nil && info.IsDir() { // of a model, not a bundle
				read = filepath.Join(file, "model.json")
			}
			if err := newFolder("--out", out, []string{dir, read}); err != nil {
				return err
			}
			if said.Files, err = writeAll(out, files); err != nil {
				return err
			}
			return c.print(cmd, said, func(w io.Writer) {
				if lift {
					printLifted(w, said.Lifted)
				}
			})
		},
	}
	cmd.Flags().StringVar(&dir, "bundle", "", "learned bundle")
	cmd.Flags().StringVar(&file, "model", "",
		"model of stripswm operators learn: model.json or its folder")
	cmd.Flags().StringVarP(&out, "out", "o", "", "folder to write to")
	cmd.Flags().StringVar(&dialect, "dialect", "negative", "negative or strips")
	oneOf(cmd, "dialect", slices.Sorted(maps.Keys(dialects)))
	cmd.Flags().BoolVar(&lift, "lifted", false, "write actions with parameters")
	cmd.Flags().StringVar(&names, "names", "", "other names for those of --lifted, in YAML")
	cmd.MarkFlagsMutuallyExclusive("lifted", "dialect")
	nodeFlags(cmd, &from, &to)
	require(cmd, "out")
	cmd.MarkFlagsOneRequired("bundle", "model")
	cmd.MarkFlagsMutuallyExclusive("bundle", "model")
	return cmd
}

// drawObjects is report.Objects of a bundle with the names of a lifted model.
func drawObjects(dir string, l *schemas.Lifted) ([]byte, error) {
	b, err := bundle.Open(dir)
	if err != nil {
		return nil, err
	}
	return report.Objects(b, l)
}

// liftedFiles are those of a lifted model, with start and goal if there are any.
func liftedFiles(l *schemas.Lifted, states []*strips.State) map[string]func(io.Writer) error {
	if states == nil {
		states = make([]*strips.State, 2)
	}
	return map[string]func(io.Writer) error{
		"domain.pddl":  l.WriteDomain,
		"problem.pddl": func(w io.Writer) error { return l.WriteProblem(w, states[0], states[1]) },
		"actions.json": func(w io.Writer) error {
			ids := map[string]strips.ActionID{}
			for _, a := range l.Actions {
				ids[a.String()] = a.ID
			}
			return encode(w, ids)
		},
	}
}

// printLifted prints groups and objects, and the action of each skill.
func printLifted(w io.Writer, l *schemas.Lifted) {
	for _, g := range l.Groups {
		what := "at most one of"
		if g.Exactly {
			what = "one of"
		}
		fmt.Fprintf(w, "%s: %s\n", what, strings.Join(g.Literals, " "))
	}
	for _, s := range l.Sorts {
		fmt.Fprintf(w, "%s: %s\n", s.Name, strings.Join(slices.Sorted(slices.Values(s.Objects)), " "))
	}
	for _, s := range l.Schemas {
		fmt.Fprintf(w, "%s(%s): %d operators\n", s.Name, strings.Join(s.Sorts, ", "), s.Operators)
	}
	if len(l.Schemas) == 0 {
		fmt.Fprintln(w, "no skills are alike: each has an action without parameters")
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "id\tskill\taction")
	for _, a := range l.Actions {
		fmt.Fprintf(table, "%d\t%s\t%s\n", a.ID, a.Label, a)
	}
	_ = table.Flush()
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

// writeAll writes files of a folder, and returns their paths in alphabetical order.
func writeAll(dir string, files map[string]func(io.Writer) error) (paths []string, err error) {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(dir, name)
		if err := writeWith(path, files[name]); err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// writeWith writes a file, complete or not at all.
func writeWith(path string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return files.Write(path, b.Bytes())
}
