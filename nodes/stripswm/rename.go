package main

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"gopkg.in/yaml.v3"

	"stripswm/models/bundle"
	"stripswm/models/schemas"
	"stripswm/models/strips"
)

// renameOutput is rename's result for scripts.
type renameOutput struct {
	Skills     []renamed `json:"skills"`
	Predicates []renamed `json:"predicates"`
}

type renamed struct {
	Before string `json:"before"`
	Now    string `json:"now"`
}

func renameCommand(c *common) *cobra.Command {
	var dir, names string
	cmd := &cobra.Command{
		Use:   "rename --bundle DIR --names FILE",
		Short: "Give objects, places and schemas of a bundle names",
		Long: `rename names objects, places, schemas and predicates of a bundle of facts, by the names
that stripswm export --lifted prints. FILE has lines in YAML such as

  item3: mug
  place5: shelf

Skills and predicates of the bundle are then named by them: put_item3_place5 becomes
put_mug_shelf. So plans, reports and PDDL say mug, and plan --want takes it. Others keep
their names. The bundle is written anew, and what it does stays the same. stripswm eval of
a folder that names the skills wants the names that the bundle was learned with.`,
		Example: `  stripswm export --bundle runs/table/bundle --out runs/pddl --lifted
  stripswm rename --bundle runs/table/bundle --names names.yaml`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b, err := bundle.Open(dir)
			if err != nil {
				return err
			}
			if _, has := b.Part(bundle.Graph); has {
				return usagef("bundle %s has a task graph: only bundles of facts have objects", dir)
			}
			before, err := b.Operators()
			if err != nil {
				return err
			}
			lifted, err := schemas.Lift(before)
			if err != nil {
				return err
			}
			if err := rename(lifted, names); err != nil {
				return err
			}
			now, err := lifted.Label(before)
			if err != nil {
				return fmt.Errorf("--names %s: %w", names, err)
			}
			var text bytes.Buffer
			if err := now.WriteJSON(&text); err != nil {
				return err
			}
			if _, err := b.Replace(bundle.Model, text.Bytes()); err != nil {
				return err
			}
			said := difference(before, now)
			return c.print(cmd, said, func(w io.Writer) {
				for _, all := range [][]renamed{said.Skills, said.Predicates} {
					for _, r := range all {
						fmt.Fprintf(w, "%s: %s\n", r.Before, r.Now)
					}
				}
			})
		},
	}
	cmd.Flags().StringVar(&dir, "bundle", "", "learned bundle of facts")
	cmd.Flags().StringVar(&names, "names", "",
		"new names, by those of stripswm export --lifted, in YAML")
	require(cmd, "bundle", "names")
	return cmd
}

// difference is what has another name.
func difference(before, now *strips.Model) renameOutput {
	said := renameOutput{Skills: []renamed{}, Predicates: []renamed{}}
	add := func(to *[]renamed, b, n string) {
		if b != n {
			*to = append(*to, renamed{b, n})
		}
	}
	for a := range strips.ActionID(before.Actions()) {
		add(&said.Skills, before.Label(a+1), now.Label(a+1))
	}
	for p := range strips.Predicate(before.Predicates) {
		add(&said.Predicates, before.PredicateLabel(p), now.PredicateLabel(p))
	}
	return said
}

// rename gives names from a file.
func rename(l *schemas.Lifted, file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read --names: %w", err)
	}
	var names map[string]string
	if err := yaml.Unmarshal(data, &names); err != nil {
		return fmt.Errorf("--names %s: want lines such as sort2_3: shelf: %w", file, err)
	}
	if err := l.Rename(names); err != nil {
		return fmt.Errorf("--names %s: %w", file, err)
	}
	return nil
}
