package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"stripswm/models/operators/check"
)

func operatorsCheckCommand() *cobra.Command {
	var in operatorsInput
	cmd := &cobra.Command{
		Use:   "check --graph G.dfa --model model.json",
		Short: "Check a model against a task graph, independently of the learner",
		Long: `check tests each of the paper's constraints on the graph. At every edge an operator of
the action applies (C1) and has the edge's effects (C2), except for the listed slack.
Every trusted missing pair is ruled out (C3), except for the listed exceptions. Masks are
disjoint, pairs listed as nondeterministic have several recorded outcomes, and no entry
is superfluous.

Exit codes: 0 no faults; 1 faults; 4 unusable graph or model.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := in.open()
			if err != nil {
				return err
			}
			sum, faults := check.Model(o.graph, o.pairs, o.model)
			texts := make([]string, len(faults))
			for i, fault := range faults {
				texts[i] = fault.Error()
			}
			if wantsJSON(cmd) {
				err = printJSON(cmd, struct {
					check.Summary
					Faults []string `json:"faults"`
				}{sum, texts})
			} else {
				w := cmd.OutOrStdout()
				fmt.Fprintf(w,
					"%d operators (%d skills), %d predicates, xi %d, eta %d, %d effects, %d preconditions, %d "+
						"codes for %d nodes, %d of which share theirs, %d pairs nondeterministic, %d untried\n",
					sum.Operators, sum.Actions, sum.Predicates, sum.Xi, sum.Eta, sum.Effects, sum.Preconditions,
					sum.DistinctCodes, sum.States, sum.SharingNodes, sum.Nondeterministic, sum.Untried)
				for _, text := range texts {
					fmt.Fprintf(w, "fault: %s\n", text)
				}
			}
			if err != nil {
				return err
			}
			if len(faults) > 0 {
				return outcome{code: exitFailure, text: fmt.Sprintf("%d faults in %s", len(faults), in.model)}
			}
			return nil
		},
	}
	in.flags(cmd, true, true)
	return cmd
}
