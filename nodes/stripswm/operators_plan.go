package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"stripswm/models/planner"
	"stripswm/models/strips"
)

// nodePlan is the result of `operators plan` for scripts.
type nodePlan struct {
	Outcome        string                  `json:"outcome"`
	Plan           []strips.ActionID       `json:"plan"`
	Names          []string                `json:"names"`
	States         []string                `json:"states"`                    // codes along the plan, start and goal included
	UncertainSteps []planner.UncertainStep `json:"uncertain_steps,omitempty"` // nondeterministic or never tried
	Untried        []int                   `json:"untried"`                   // steps never tried, from 0
	Expanded       int                     `json:"expanded"`
	Reached        int                     `json:"reached"`
}

func operatorsPlanCommand() *cobra.Command {
	var in operatorsInput
	var from, to int
	var limits planner.Limits
	var allowUntried bool
	cmd := &cobra.Command{
		Use:   "plan --graph G.dfa --model model.json --from S --to T",
		Short: "Plan from one node of a task graph to another with a learned model",
		Long: `plan searches the operators of a model for the shortest sequence of action ids from one
node to another, without images. An independent check replays each plan before it is
printed. If every plan needs a nondeterministic outcome, plan prints the one with the
fewest expected attempts, and the counts. It refuses two nodes with the same code.

Exit codes: 0 found; 4 unusable graph or model; 11 proven unsolvable; 12 limit reached;
13 start and goal cannot be distinguished; 14 found, with untried steps ("untried" in the
JSON lists them from 0).`,
		Example: `  stripswm operators plan --graph blocksworld.dfa --model runs/ops --from 0 --to 15
  stripswm operators plan --graph graph.json --model runs/ops/model.json --from 0 --to 15 --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := in.open()
			if err != nil {
				return err
			}
			start, goal, err := nodeCodes(o.model, from, to)
			if err != nil {
				return err
			}
			if nodes := planner.Indistinct(o.model, start, strips.GoalOf(goal)); nodes != nil && from != to {
				return outcome{exitUnrecognized,
					fmt.Sprintf("nodes %d and %d cannot be distinguished: %s is the code of the nodes %v", from,
						to, start, nodes)}
			}
			search, err := planner.New(o.model)
			if err != nil {
				return err
			}
			r, err := search.Find(cmd.Context(), start, goal, planner.BreadthFirst, limits)
			if err != nil {
				return err
			}
			if err := cmd.Context().Err(); err != nil {
				return err
			}
			if err := printNodePlan(cmd, o.model, r); err != nil {
				return err
			}
			return searchOutcome(r, allowUntried)
		},
	}
	in.flags(cmd, true, false)
	nodeFlags(cmd, &from, &to)
	limitFlags(cmd, &limits)
	untriedFlag(cmd, &allowUntried)
	return cmd
}

func printNodePlan(cmd *cobra.Command, m *strips.Model, r planner.Result) error {
	out := nodePlan{Outcome: r.Outcome.String(), Plan: append([]strips.ActionID{}, r.Plan...),
		Names: []string{}, States: []string{}, UncertainSteps: r.Uncertain, Untried: r.Untried(),
		Expanded: r.Expanded, Reached: r.Reached}
	for _, a := range r.Plan {
		out.Names = append(out.Names, m.Label(a))
	}
	for _, s := range r.States {
		out.States = append(out.States, s.String())
	}
	if wantsJSON(cmd) {
		return printJSON(cmd, out)
	}
	printPlanLines(cmd, out.Plan, out.Names)
	if !cmd.Flags().Changed("quiet") {
		printUncertain(cmd.ErrOrStderr(), out.Names, r.Uncertain)
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %d action(s); %d states reached\n", out.Outcome,
			len(out.Plan), out.Reached)
	}
	return nil
}

// nodeFlags are the task-graph nodes of a query; -1 is none.
func nodeFlags(cmd *cobra.Command, from, to *int) {
	cmd.Flags().IntVar(from, "from", -1, "task-graph node of the start")
	cmd.Flags().IntVar(to, "to", -1, "task-graph node of the goal")
}

// nodeCodes are the predicate states of two nodes.
func nodeCodes(m *strips.Model, from, to int) (start, goal strips.State, err error) {
	start, known := m.Code(strips.StateID(from))
	goal, both := m.Code(strips.StateID(to))
	if len(m.States) == 0 {
		return start, goal, usagef("--from and --to are nodes of a task graph, and a model of facts " +
			"has none: leave them out, or plan with plan --want")
	}
	if !known || !both {
		return start, goal, usagef("--from %d --to %d: want two of the model's nodes, 0 to %d", from, to,
			len(m.States)-1)
	}
	return start, goal, nil
}
