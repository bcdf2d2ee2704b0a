package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"stripswm/models/operators"
	"stripswm/models/strips"
)

func operatorsExplainCommand() *cobra.Command {
	var in operatorsInput
	var state int
	var action string
	cmd := &cobra.Command{
		Use:   "explain --graph G.dfa --model model.json --state S --action A",
		Short: "Say which predicate rules an action out in a node, or what proves that none can",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := in.open()
			if err != nil {
				return err
			}
			g := o.graph
			a, err := readAction(g, action)
			if err != nil {
				return err
			}
			x, err := operators.Explain(g, o.model, strips.StateID(state), a)
			if err != nil {
				return usageError{err}
			}
			if wantsJSON(cmd) {
				return printJSON(cmd, x)
			}
			w := cmd.OutOrStdout()
			fmt.Fprintf(w, "%s in node %d: %s\n", g.Label(a), state, x.Verdict)
			if x.Refused > 0 {
				fmt.Fprintf(w, "  tried and refused %dx\n", x.Refused)
			}
			for _, t := range x.Targets {
				fmt.Fprintf(w, "  seen to lead to node %d\n", t)
			}
			for _, p := range x.Required {
				fmt.Fprintf(w, "  predicate %d is required and false\n", p)
			}
			for _, p := range x.Forbidden {
				fmt.Fprintf(w, "  predicate %d is forbidden and true\n", p)
			}
			if x.Inseparable {
				fmt.Fprintln(w, "  no predicate can rule it out, because of these edges together:")
				for _, e := range x.Core {
					fmt.Fprintf(w, "    %s\n", edgeText(g, e))
				}
			}
			return nil
		},
	}
	in.flags(cmd, true, false)
	cmd.Flags().IntVar(&state, "state", 0, "task-graph node")
	atLeast(cmd.Flags(), "state", &state, 0)
	cmd.Flags().StringVar(&action, "action", "", "action label or number")
	return cmd
}
