package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"stripswm/models/operators"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// operatorsLearn are the flags of `operators learn`.
type operatorsLearn struct {
	operatorsInput
	common                    *common
	out, distinct, predicates string
	slackBudget               int
	merge                     bool
	opt                       operators.Options
}

func operatorsLearnCommand(c *common) *cobra.Command {
	l := operatorsLearn{common: c}
	cmd := &cobra.Command{
		Use:   "learn --graph G.dfa --out DIR",
		Short: "Learn a model from a task graph, with proofs and bounds",
		Long: `learn minimizes transition slack (xi), applicability slack (eta), and the number of
operators, predicates, effects and preconditions, in this order. It reports which values
are proved to be optimal, and writes DIR/model.json.

Every node gets a code of its own. An action that one operator cannot explain gets
several, with preconditions that exclude each other. Operators may toggle predicates.
--single learns the paper's model: one operator for each action, and nodes that the model
cannot distinguish share a code. --predicates, --distinct, --min-unique,
--allow-collapse, --by-support and --slack-budget imply --single.

Nodes that are one state by the graph's counts are merged first. The model then refers to
the nodes of DIR/merged.json.

More --work never gives more operators. ^C writes the best model so far, with exit code
130.`,
		Example: `  stripswm operators learn --graph blocksworld.dfa --out runs/ops
  stripswm operators learn --graph graph.json --out runs/ops --trust visited:20 --budget 30s --json
  stripswm operators learn --graph graph.json --out runs/ops --merge=false --slack-budget 2
  stripswm operators learn --graph blocksworld.dfa --predicates 4:9`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return l.run(cmd) },
	}
	l.flags(cmd, false, true)
	f := cmd.Flags()
	f.StringVarP(&l.out, "out", "o", "", "folder to write model.json to")
	f.StringVar(&l.predicates, "predicates", "", "number of predicates m (default: the fewest), "+
		"or a range FROM:TO to compare, which writes no model")
	effortFlags(f, &l.opt)
	f.Uint64Var(&l.opt.Seed, "seed", 0, "seed of the improvements")
	atLeast(f, &l.opt.MinUnique, "min-unique", 0, 0, "least number of different codes")
	f.StringVar(&l.distinct, "distinct", "none",
		"nodes that need different codes: none, all or pairs such as 0-3,4-7")
	f.BoolVar(&l.opt.AllowCollapse, "allow-collapse", false,
		"without negative evidence, allow one code for all nodes")
	f.BoolVar(&l.opt.BySupport, "by-support", false,
		"weight transition slack by the support of the edge")
	f.BoolVar(&l.opt.Single, "single", false, "one operator for each action, as in the paper")
	f.BoolVar(&l.merge, "merge", true, "first merge nodes that are one state by the graph's counts")
	atLeast(f, &l.slackBudget, "slack-budget", 0, 0,
		"number of edges, the most suspect, with transition slack")
	return cmd
}

func (l *operatorsLearn) run(cmd *cobra.Command) error {
	from, to, err := l.sizes()
	if err != nil {
		return err
	}
	if l.out == "" && from == to {
		return usagef("--out is needed")
	}
	o, err := l.open()
	if err != nil {
		return err
	}
	g := o.graph
	l.opt.Trust = o.trust
	if l.out != "" {
		if err := newFolder("--out", l.out, []string{l.graph}, modelFile); err != nil {
			return err
		}
	}
	if l.opt.Distinct, err = readDistinct(l.distinct); err != nil {
		return err
	}
	if g, err = l.repair(cmd, g); err != nil {
		return err
	}
	if from != to {
		return l.compare(cmd, g, from, to)
	}
	l.opt.Predicates = from
	r, err := operators.Learn(cmd.Context(), g, l.opt)
	if err != nil {
		return usageError{err}
	}
	if err := writeWith(filepath.Join(l.out, modelFile), r.Model.WriteJSON); err != nil {
		return err
	}
	err = l.common.print(cmd, r.Report, func(w io.Writer) { printLearned(w, r.Model, r.Report) })
	if err == nil && cmd.Context().Err() != nil {
		return outcome{exitInterrupted, "interrupted; " + filepath.Join(l.out, modelFile) +
			" is the best model so far"}
	}
	return err
}

// repair merges nodes and chooses edges that get slack, by the flags, and reports it on
// stderr.
func (l *operatorsLearn) repair(cmd *cobra.Command, g *taskgraph.Graph) (*taskgraph.Graph, error) {
	w := cmd.ErrOrStderr()
	whole := g
	for range l.slackBudget {
		suspects, err := operators.Suspects(cmd.Context(), g, l.opt.Trust)
		if err != nil {
			return nil, err
		}
		if len(suspects) == 0 || suspects[0].SeparationConstraints+suspects[0].Merges == 0 {
			break
		}
		s := suspects[0]
		fmt.Fprintf(w, "edge %s gets transition slack: frees %d missing pairs and %d merged nodes\n",
			edgeText(g, s.Edge), s.SeparationConstraints, s.Merges)
		l.opt.SlackBudget = append(l.opt.SlackBudget, s.Edge)
		g = withoutEdge(g, s.Edge)
	}
	if len(l.opt.SlackBudget) > 0 {
		return whole, nil // with the edges that get slack
	}
	if !l.merge {
		return g, nil
	}
	result, err := operators.Merge(cmd.Context(), g, nil)
	if err != nil {
		return nil, err
	}
	merged := result.Graph
	for _, group := range result.Merged {
		fmt.Fprintf(w, "merged nodes %v: %s\n", group.Nodes, inWords(group.Shown))
	}
	for _, kept := range result.Kept {
		fmt.Fprintf(w, "kept nodes %v apart: %s; %s\n", kept.Nodes, inWords(kept.Shown), kept.Reason)
	}
	if len(result.Merged) == 0 {
		return g, nil
	}
	fmt.Fprintf(w, "%d nodes became %d; the model's nodes are those of %s\n", g.NumStates(),
		merged.NumStates(), filepath.Join(l.out, "merged.json"))
	if l.out == "" {
		return merged, nil
	}
	return merged, writeWith(filepath.Join(l.out, "merged.json"), merged.WriteJSON)
}

func inWords(branches []taskgraph.Branch) string {
	words := make([]string, len(branches))
	for i, b := range branches {
		words[i] = b.String()
	}
	return strings.Join(words, "; ")
}

func withoutEdge(g *taskgraph.Graph, e taskgraph.Edge) *taskgraph.Graph {
	h := *g
	h.Edges = nil
	for _, k := range g.Edges {
		if taskgraph.CompareEdges(k, e) != 0 {
			h.Edges = append(h.Edges, k)
		}
	}
	return &h
}

// sizes reads --predicates: a number, a range, or 0 for the fewest.
func (l *operatorsLearn) sizes() (from, to int, err error) {
	if l.predicates == "" {
		return 0, 0, nil
	}
	first, last, isRange := strings.Cut(l.predicates, ":")
	if !isRange {
		last = first
	}
	from, err1 := strconv.Atoi(first)
	to, err2 := strconv.Atoi(last)
	if err1 != nil || err2 != nil || from < 0 || to < from ||
		isRange && (from == 0 || from == to) {
		return 0, 0, usagef("--predicates %q: want a number, or a range such as 4:9", l.predicates)
	}
	return from, to, nil
}

// compare learns a model for each number of predicates and prints their reports.
func (l *operatorsLearn) compare(cmd *cobra.Command, g *taskgraph.Graph, from, to int) error {
	var reports []operators.Report
	w := cmd.OutOrStdout()
	if !l.common.json {
		fmt.Fprintln(w, "  m   xi  eta effects preconditions codes  seconds")
	}
	for m := from; m <= to && cmd.Context().Err() == nil; m++ {
		l.opt.Predicates = m
		r, err := operators.Learn(cmd.Context(), g, l.opt)
		if err != nil {
			return usageError{fmt.Errorf("%d predicates: %w", m, err)}
		}
		s := r.Report
		reports = append(reports, s)
		if !l.common.json {
			fmt.Fprintf(w, "%3d %4d %4d %7d %13d %5d %8.2f\n", s.Predicates, s.Xi, s.Eta, s.Effects,
				s.Preconditions, s.DistinctCodes, s.Seconds)
		}
	}
	err := cmd.Context().Err()
	if l.common.json {
		err = errors.Join(err, encode(w, reports))
	}
	return err
}

func printLearned(w io.Writer, m *strips.Model, r operators.Report) {
	fmt.Fprintf(w, "%d states, %d actions, %d edges, %d trusted missing pairs\n", r.States, r.Actions,
		r.Edges, r.SeparationConstraints)
	line := func(name string, value, bound int, proved bool) {
		how := fmt.Sprintf("lower bound %d", bound)
		if proved {
			how = "proved"
		}
		fmt.Fprintf(w, "  %-14s %5d  %s\n", name, value, how)
	}
	line("xi", r.Xi, r.Bounds.Xi, r.Proved.Xi)
	line("eta", r.Eta, r.Bounds.Eta, r.Proved.Eta)
	line("operators", r.Operators, r.Bounds.Operators, r.Proved.Operators)
	line("predicates", r.Predicates, r.Bounds.Predicates, r.Proved.Predicates)
	fmt.Fprintf(w, "  %-14s %5d\n  %-14s %5d\n", "effects", r.Effects, "preconditions",
		r.Preconditions)
	fmt.Fprintf(w, "  %-14s %5d  of %d nodes\n", "codes", r.DistinctCodes, r.States)
	for _, op := range m.Operators {
		fmt.Fprintf(w, "%s: requires %v, excludes %v, adds %v, deletes %v", op.Name, op.PrePos, op.PreNeg,
			op.Add, op.Del)
		if len(op.Toggle) > 0 {
			fmt.Fprintf(w, ", toggles %v", op.Toggle)
		}
		fmt.Fprintln(w)
	}
	for _, c := range m.Nondeterministic {
		fmt.Fprintf(w, "%s in node %d is nondeterministic: %s\n", m.Label(c.Action), c.Node,
			outcomesText(c))
	}
	if len(m.Untried) > 0 {
		fmt.Fprintf(w,
			"%d pairs were not tried often enough and are allowed by preconditions; plans use them if "+
				"there is no other path\n", len(m.Untried))
	}
	if r.CutShort {
		fmt.Fprintln(w, cutShort)
	}
	fmt.Fprintf(w, "%.2f s, of which %.3f s until xi and eta were proved\n", r.Seconds, r.EtaSeconds)
}

// outcomesText is such as "7x to node 2, 2x to node 3".
func outcomesText(c strips.Nondeterminism) string {
	words := make([]string, len(c.Outcomes))
	for i, o := range c.Outcomes {
		words[i] = fmt.Sprintf("%dx to node %d", o.Count, o.Target)
	}
	return strings.Join(words, ", ")
}
