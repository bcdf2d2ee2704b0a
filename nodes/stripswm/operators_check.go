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
		Long: `check reads the paper's constraints off the graph one by one: an operator of the
action applies at every edge (C1) and each that does has its effects (C2) but for
listed slack, every trusted missing pair is ruled out (C3) but for listed
exceptions, masks are disjoint, what is nondeterministic was seen to have several
outcomes, and nothing is listed in vain.

Exit codes: 0 faultless, 1 faults, 4 unusable graph or model.`,
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
				fmt.Fprintf(w, "%d operators (%d skills), %d predicates, xi %d, eta %d, %d effects, %d preconditions, %d codes for %d nodes, %d of which share theirs, %d pairs nondeterministic, %d untried\n",
					sum.Operators, sum.Actions, sum.Predicates, sum.Xi, sum.Eta, sum.Effects, sum.Preconditions, sum.DistinctCodes, sum.States, sum.SharingNodes, sum.Nondeterministic, sum.Untried)
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
