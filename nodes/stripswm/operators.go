package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"stripswm/internal/files"
	"stripswm/models/operators"
	"stripswm/models/operators/check"
	"stripswm/models/operators/program"
	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/nodes/eval/report"
	"stripswm/nodes/learn"
)

func operatorsCommand(c *common) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "operators",
		Short: "Learn predicates and operators from a task graph, check and explain them",
		Long: `operators runs the second stage alone: it reads a task graph (.dfa, .json or .dot), learns
a STRIPS model with proofs of optimality, and plans with it.`,
	}
	cmd.AddCommand(operatorsLearnCommand(c), operatorsCheckCommand(c), operatorsPlanCommand(c),
		operatorsExplainCommand(c), operatorsSuspectsCommand(c), operatorsProgramCommand(c))
	return cmd
}

// operatorsInput are the flags that say what the operators verbs work on.
type operatorsInput struct {
	graph, model, trust string
	takesModel          bool
	takesTrust          bool
}

func (in *operatorsInput) flags(cmd *cobra.Command, model, trust bool) {
	in.takesModel, in.takesTrust = model, trust
	cmd.Flags().StringVar(&in.graph, "graph", "", "task graph: .dfa, .json or .dot")
	require(cmd, "graph")
	if model {
		cmd.Flags().StringVar(&in.model, "model", "",
			"model that was learned from it: model.json or its folder")
		require(cmd, "model")
	}
	if trust {
		cmd.Flags().StringVar(&in.trust, "trust", "",
			"where a missing edge is negative evidence: all, none, attempts, visited:K[:D] or "+
				"nodes:0,4,7 (default: visited:0, or all for a graph without counts, such as a .dfa)")
		completeNames(cmd, "trust", []string{"all", "none", "attempts", "visited:", "nodes:"})
	}
}

// opened is what the flags name. A verb has those parts that it takes flags for.
type opened struct {
	graph *taskgraph.Graph
	model *strips.Model // learned from graph
	trust operators.Trust
	pairs []check.Pair // missing in graph and trusted
}

// open reads what the flags name and checks that it belongs together.
func (in *operatorsInput) open() (o opened, err error) {
	if o.graph, err = taskgraph.ReadFile(in.graph); err != nil {
		return o, fmt.Errorf("%w: %w", errInput, err)
	}
	if in.takesTrust {
		o.trust = operators.DefaultTrust(o.graph)
		if in.trust != "" {
			if o.trust, err = operators.ParseTrust(in.trust); err != nil {
				return o, usageError{err}
			}
		}
		if o.pairs, err = learn.TrustedPairs(o.graph, o.trust); err != nil {
			return o, usageError{err}
		}
	}
	if !in.takesModel {
		return o, nil
	}
	if o.model, err = readModel(in.model); err != nil {
		return o, err
	}
	if err := sameNames(o.graph, o.model); err != nil {
		return o, fmt.Errorf("%w: %s was not learned from %s: %w", errInput, in.model, in.graph, err)
	}
	return o, nil
}

// readModel reads a model, or the model.json of a folder.
func readModel(path string) (*strips.Model, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, modelFile)
	}
	f, err := files.Open(path, maxJSON)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errInput, err)
	}
	defer f.Close()
	m, err := strips.ReadJSON(f)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", errInput, path, err)
	}
	return m, nil
}

// modelFile is what `operators learn` calls a model.
const modelFile = "model.json"

// sameNames says where a model has other nodes or actions than the graph. `operators check` finds
// other differences.
func sameNames(g *taskgraph.Graph, m *strips.Model) error {
	if m.Actions() != g.NumActions() || len(m.States) != g.NumStates() {
		return fmt.Errorf("it has %d actions and %d nodes, the graph %d and %d", m.Actions(),
			len(m.States), g.NumActions(), g.NumStates())
	}
	for i, label := range g.Labels {
		if name := m.Label(strips.ActionID(i + 1)); name != label {
			return fmt.Errorf("action %d is %q there, and %q in the graph", i+1, name, label)
		}
	}
	for s := range g.Nodes {
		if _, known := m.Code(strips.StateID(s)); !known {
			return fmt.Errorf("it has no code for node %d", s)
		}
	}
	return nil
}

// readAction finds an action by its label or its number.
func readAction(g *taskgraph.Graph, text string) (strips.ActionID, error) {
	for i, label := range g.Labels {
		if label == text {
			return strips.ActionID(i + 1), nil
		}
	}
	if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(g.Labels) {
		return strips.ActionID(n), nil
	}
	return 0, usagef("--action %q: no such label, nor a number in 1..%d", text, len(g.Labels))
}

// readDistinct reads none, all or 0-3,4-7.
func readDistinct(text string) (operators.Distinct, error) {
	switch text {
	case "", "none":
		return operators.Distinct{}, nil
	case "all":
		return operators.Distinct{All: true}, nil
	}
	var d operators.Distinct
	for word := range strings.SplitSeq(text, ",") {
		var pair [2]strips.StateID
		if n, err := fmt.Sscanf(word, "%d-%d", &pair[0], &pair[1]); n != 2 || err != nil {
			return d, usagef("--distinct %q: want none, all or pairs such as 0-3,4-7", text)
		}
		d.Pairs = append(d.Pairs, pair)
	}
	return d, nil
}

func edgeText(g *taskgraph.Graph, e taskgraph.Edge) string {
	text := fmt.Sprintf("%d --%s--> %d (seen %dx)", e.Source, g.Label(e.Action), e.Target, e.Support)
	if from, to := g.Nodes[e.Source].Code, g.Nodes[e.Target].Code; from != "" && to != "" {
		text += fmt.Sprintf(", latent codes %s to %s", from, to)
	}
	return text
}

func operatorsCheckCommand(c *common) *cobra.Command {
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
			err = c.print(cmd, struct {
				check.Summary
				Faults []string `json:"faults"`
			}{sum, texts}, func(w io.Writer) {
				fmt.Fprintf(w,
					"%d operators (%d skills), %d predicates, xi %d, eta %d, %d effects, %d preconditions, %d "+
						"codes for %d nodes, %d of which share theirs, %d pairs nondeterministic, %d untried\n",
					sum.Operators, sum.Actions, sum.Predicates, sum.Xi, sum.Eta, sum.Effects, sum.Preconditions,
					sum.DistinctCodes, sum.States, sum.SharingNodes, sum.Nondeterministic, sum.Untried)
				for _, text := range texts {
					fmt.Fprintf(w, "fault: %s\n", text)
				}
			})
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

func operatorsExplainCommand(c *common) *cobra.Command {
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
				return explainSkill(cmd, c, o, a)
			}
			x, err := operators.Explain(g, o.model, strips.StateID(state), a)
			if err != nil {
				return usageError{err}
			}
			return c.print(cmd, x, func(w io.Writer) { printExplanation(w, g, x) })
		},
	}
	in.flags(cmd, true, false)
	atLeast(cmd.Flags(), &state, "state", 0, 0,
		"task-graph node (default: none, explain the action)")
	cmd.Flags().StringVar(&action, "action", "", "action label or number")
	return cmd
}

func printExplanation(w io.Writer, g *taskgraph.Graph, x *operators.Explanation) {
	fmt.Fprintf(w, "%s in node %d: %s\n", g.Label(x.Action), x.State, x.Verdict)
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
func explainSkill(cmd *cobra.Command, c *common, o opened, a strips.ActionID) error {
	x, err := operators.ExplainSkill(o.graph, o.model, a)
	if err != nil {
		return usageError{err}
	}
	return c.print(cmd, x, func(w io.Writer) { printSkill(w, x) })
}

func printSkill(w io.Writer, x *operators.Skill) {
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

func operatorsSuspectsCommand(c *common) *cobra.Command {
	var in operatorsInput
	var limit int
	var bundleDir, bag, out string
	cmd := &cobra.Command{
		Use:   "suspects --graph G.dfa",
		Short: "Rank the edges that may be wrong",
		Long: `suspects ranks edges by the number of missing pairs and nodes that dropping the edge
frees. With --bundle, --bag and --out it draws the recorded images behind each edge, so
that a person can check them.`,
		Example: `  stripswm operators suspects --graph runs/blocks/bundle/graph.json
  stripswm operators suspects --graph runs/blocks/bundle/graph.json --bundle runs/blocks/bundle --bag runs/bag --out runs/suspects`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out != "" && (bundleDir == "" || bag == "") {
				return usagef("--out needs --bundle and --bag")
			}
			o, err := in.open()
			if err != nil {
				return err
			}
			if out != "" {
				if err := newFolder("--out", out, []string{bundleDir, bag}); err != nil {
					return err
				}
			}
			groups, err := operators.Forced(cmd.Context(), o.graph)
			if err != nil {
				return err
			}
			suspects, err := operators.Suspects(cmd.Context(), o.graph, o.trust)
			if err != nil {
				return err
			}
			suspects = suspects[:min(len(suspects), limit)]
			var files []string
			if out != "" {
				if files, err = report.SuspectImages(cmd.Context(), bundleDir, bag, out,
					suspects); err != nil {
					return err
				}
			}
			return c.print(cmd, struct {
				Forced   [][]strips.StateID  `json:"forced"`
				Suspects []operators.Suspect `json:"suspects"`
				Images   []string            `json:"images,omitempty"`
			}{groups, suspects, files}, func(w io.Writer) {
				for _, group := range groups {
					fmt.Fprintf(w, "nodes %v are forced together\n", group)
				}
				for _, s := range suspects {
					fmt.Fprintf(w, "%s: in %d proofs; without it %d missing pairs and %d nodes are free\n",
						edgeText(o.graph, s.Edge), s.Cores, s.SeparationConstraints, s.Merges)
				}
			})
		},
	}
	in.flags(cmd, false, true)
	atLeast(cmd.Flags(), &limit, "limit", 20, 0, "number of edges to list")
	cmd.Flags().StringVar(&bundleDir, "bundle", "", "bundle that the graph is from")
	cmd.Flags().StringVarP(&bag, "bag", "b", "", "recording that the bundle was learned from")
	cmd.Flags().StringVarP(&out, "out", "o", "", "folder for the images behind each edge")
	return cmd
}

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

func operatorsPlanCommand(c *common) *cobra.Command {
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
			return cmp.Or(printNodePlan(cmd, c, o.model, r), searchOutcome(r, allowUntried))
		},
	}
	in.flags(cmd, true, false)
	nodeFlags(cmd, &from, &to)
	limitFlags(cmd, &limits)
	untriedFlag(cmd, &allowUntried)
	return cmd
}

func printNodePlan(cmd *cobra.Command, c *common, m *strips.Model, r planner.Result) error {
	out := nodePlan{Outcome: r.Outcome.String(), Plan: append([]strips.ActionID{}, r.Plan...),
		Names: []string{}, States: []string{}, UncertainSteps: r.Uncertain, Untried: r.Untried(),
		Expanded: r.Expanded, Reached: r.Reached}
	for _, a := range r.Plan {
		out.Names = append(out.Names, m.Label(a))
	}
	for _, s := range r.States {
		out.States = append(out.States, s.String())
	}
	return c.print(cmd, out, func(w io.Writer) {
		printPlanLines(w, out.Plan, out.Names)
		if !c.quiet {
			printUncertain(cmd.ErrOrStderr(), out.Names, r.Uncertain)
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: %d action(s); %d states reached\n", out.Outcome,
				len(out.Plan), out.Reached)
		}
	})
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

func operatorsProgramCommand(c *common) *cobra.Command {
	var in operatorsInput
	var opb, wcnf, distinct string
	var m, minUnique int
	var solve, bySupport bool
	var budget time.Duration
	cmd := &cobra.Command{
		Use:   "program --graph G.dfa --predicates M",
		Short: "Write or solve the paper's monolithic 0/1 program, the reference for small graphs",
		Example: `  stripswm operators program --graph door.dfa --predicates 2 --solve
  stripswm operators program --graph blocksworld.dfa --predicates 6 --opb blocks.opb --wcnf blocks.wcnf`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := in.open()
			if err != nil {
				return err
			}
			d, err := readDistinct(distinct)
			if err != nil {
				return err
			}
			p, err := program.Build(o.graph, o.pairs, m,
				program.Options{Distinct: d.List(o.graph.NumStates()), MinUnique: minUnique,
					BySupport: bySupport})
			if err != nil {
				return usageError{err}
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "%d variables, %d constraints\n", p.Vars, len(p.Constraints))
			if opb != "" {
				if err := writeWith(opb, p.WriteOPB); err != nil {
					return err
				}
			}
			if wcnf != "" {
				if err := writeWith(wcnf, p.WriteWCNF); err != nil {
					return err
				}
			}
			if !solve {
				return nil
			}
			ctx, stop := context.WithTimeout(cmd.Context(), budget)
			defer stop()
			best, err := p.Solve(ctx)
			if err != nil {
				return err
			}
			return c.print(cmd, struct {
				Values [4]int  `json:"values"`
				Proved [4]bool `json:"proved"`
			}{best.Values, best.Proved}, func(w io.Writer) {
				for i, name := range []string{"xi", "eta", "effects", "preconditions"} {
					fmt.Fprintf(w, "%-14s %5d proved %t\n", name, best.Values[i], best.Proved[i])
				}
			})
		},
	}
	in.flags(cmd, false, true)
	f := cmd.Flags()
	atLeast(f, &m, "predicates", 1, 1, "number of predicates m")
	f.StringVar(&opb, "opb", "", "file for the pseudo-Boolean format")
	f.StringVar(&wcnf, "wcnf", "", "file for weighted partial MaxSAT")
	f.StringVar(&distinct, "distinct", "none",
		"nodes that need different codes: none, all or pairs such as 0-3,4-7")
	atLeast(f, &minUnique, "min-unique", 0, 0, "least number of different codes")
	f.BoolVar(&bySupport, "by-support", false, "weight transition slack by the support of the edge")
	f.BoolVar(&solve, "solve", false, "solve it with gophersat")
	atLeast(f, &budget, "budget", time.Minute, 0, "time to solve it")
	return cmd
}
