package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"stripswm/models/operators"
	"stripswm/models/strips"
)

func operatorsExplainCommand() *cobra.Command {
	var in operatorsInput
	var state int
	var action string
	cmd := &cobra.Command{
		Use:   "explain --graph G.dfa --model model.json --action A [--state S]",
		Short: "Say what an action does, or which predicate rules it out in a node",
		Long: `explain describes an action: its operators, the predicates that distinguish them, and the
nodes where its outcome is nondeterministic. With --state it names the operator that
applies in a node, the predicates that rule the others out, or the proof that no
predicate can.`,
		Example: `  stripswm operators explain --graph graph.json --model runs/ops --action pick_1
  stripswm operators explain --graph graph.json --model runs/ops --action pick_1 --state 7`,
		Args: cobra.NoArgs,
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
			if !cmd.Flags().Changed("state") {
				return explainSkill(cmd, o, a)
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
			printOutcomes(w, x.Odds)
			printViolated(w, "", x.Violated)
			for _, v := range x.Variants {
				if v.Applies {
					fmt.Fprintf(w, "  its operator %d applies\n", v.Variant)
				}
				printViolated(w, fmt.Sprintf("its operator %d does not apply: ", v.Variant), v.Violated)
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
	cmd.Flags().IntVar(&state, "state", 0, "task-graph node (default: none, explain the action)")
	atLeast(cmd.Flags(), "state", &state, 0)
	cmd.Flags().StringVar(&action, "action", "", "action label or number")
	return cmd
}

func printViolated(w io.Writer, before string, v operators.Violated) {
	for _, p := range v.Required {
		fmt.Fprintf(w, "  %spredicate %d is required and false\n", before, p)
	}
	for _, p := range v.Excluded {
		fmt.Fprintf(w, "  %spredicate %d is excluded and true\n", before, p)
	}
}

func printOutcomes(w io.Writer, outcomes []strips.Outcome) {
	for _, o := range outcomes {
		fmt.Fprintf(w, "  led %dx to node %d\n", o.Count, o.Target)
	}
}

// explainSkill says what an action does, operator by operator.
func explainSkill(cmd *cobra.Command, o opened, a strips.ActionID) error {
	x, err := operators.ExplainSkill(o.graph, o.model, a)
	if err != nil {
		return usageError{err}
	}
	if wantsJSON(cmd) {
		return printJSON(cmd, x)
	}
	w := cmd.OutOrStdout()
	things := "one thing"
	if n := len(x.Variants); n > 1 {
		things = numeral(n) + " things"
	}
	fmt.Fprintf(w, "skill %d (%s) does %s:\n", x.Action, x.Name, things)
	for _, v := range x.Variants {
		fmt.Fprintf(w, "  %d. in %d nodes, seen %dx: %s; %s\n", v.Variant, len(v.Sources), v.Seen,
			clauses("changes nothing", "adds", v.Adds, "deletes", v.Deletes, "toggles", v.Toggles),
			clauses("requires nothing", "requires", v.Requires, "excludes", v.Excludes))
	}
	for _, k := range x.Distinct {
		switch {
		case len(k.Predicates) > 0:
			fmt.Fprintf(w, "  %d and %d are distinguished by each of the predicates %v\n", k.Variants[0],
				k.Variants[1], k.Predicates)
		default:
			fmt.Fprintf(w, "  %d and %d are distinguished by several predicates together\n", k.Variants[0],
				k.Variants[1])
		}
	}
	if b := x.Core; b != nil {
		fmt.Fprintf(w, "  one operator cannot do this:")
		for _, e := range b.Edges {
			fmt.Fprintf(w, " from node %d to %d,", e.Source, e.Target)
		}
		if b.Allowed {
			fmt.Fprintf(w, " and not be allowed in node %d\n", b.Nodes[1])
		} else {
			fmt.Fprintf(w, " and leave nodes %d and %d different codes\n", b.Nodes[0], b.Nodes[1])
		}
	}
	for _, c := range x.Nondeterministic {
		fmt.Fprintf(w, "  in node %d its outcome is nondeterministic:\n", c.Node)
		printOutcomes(w, c.Outcomes)
	}
	return nil
}

// clauses are verbs with what they are about, or none.
func clauses(none string, verbs ...any) string {
	var parts []string
	for i := 0; i < len(verbs); i += 2 {
		if p := verbs[i+1].([]strips.Predicate); len(p) > 0 {
			parts = append(parts, fmt.Sprint(verbs[i], " ", p))
		}
	}
	if len(parts) == 0 {
		return none
	}
	return strings.Join(parts, ", ")
}

// numeral is a number in words, if it is a small one.
func numeral(n int) string {
	words := []string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}
	if n < len(words) {
		return words[n]
	}
	return fmt.Sprint(n)
}
