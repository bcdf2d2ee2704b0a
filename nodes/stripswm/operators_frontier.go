package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"stripswm/models/operators"
)

func operatorsFrontierCommand() *cobra.Command {
	var in operatorsInput
	var limit int
	cmd := &cobra.Command{
		Use:   "frontier --graph G.dfa --model model.json",
		Short: "List the attempts that would lower eta most: what the robot should try next",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := in.open()
			if err != nil {
				return err
			}
			trials, err := operators.Frontier(cmd.Context(), o.graph, o.trust, o.model)
			if err != nil {
				return err
			}
			trials = trials[:min(len(trials), limit)]
			if wantsJSON(cmd) {
				return printJSON(cmd, trials)
			}
			for _, t := range trials {
				fmt.Fprintf(cmd.OutOrStdout(), "try %s in node %d: if it leads to %v, eta falls by %d\n",
					o.graph.Label(t.Action), t.State, t.Predicted, t.Gain)
			}
			return nil
		},
	}
	in.flags(cmd, true, true)
	cmd.Flags().IntVar(&limit, "limit", 20, "number of attempts to list")
	atLeast(cmd.Flags(), "limit", &limit, 0)
	return cmd
}
