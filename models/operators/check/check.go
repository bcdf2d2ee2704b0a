package check

import (
	"fmt"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Pair is a state and an action.
type Pair struct {
	State  strips.StateID
	Action strips.ActionID
}

// Summary counts what a model costs.
type Summary struct {
	States                int `json:"states"`
	Actions               int `json:"actions"`
	Operators             int `json:"operators"`
	Edges                 int `json:"edges"`
	SeparationConstraints int `json:"constraints"`
	Predicates            int `json:"predicates"`
	Xi                    int `json:"xi"`
	Eta                   int `json:"eta"`
	Effects               int `json:"effects"`
	Preconditions         int `json:"preconditions"`
	DistinctCodes         int `json:"distinct_codes"`
	SharingNodes          int `json:"sharing_nodes"` // whose code is another's too
	Nondeterministic      int `json:"nondeterministic"`
	Untried               int `json:"untried"`
	// FalsePositives are the pairs without an edge whose preconditions hold,
	// trusted or not (paper, RQ4).
	FalsePositives int `json:"false_positives"`
}

// AllMissing is every pair without an edge: the trusted missing pairs when every
// node is trusted.
func AllMissing(g *taskgraph.Graph) []Pair {
	seen := map[Pair]bool{}
	for _, e := range g.Edges {
		seen[Pair{e.Source, e.Action}] = true
	}
	var missing []Pair
	for s := range g.Nodes {
		for a := range g.Labels {
			if pair := (Pair{strips.StateID(s), strips.ActionID(a + 1)}); !seen[pair] {
				missing = append(missing, pair)
			}
		}
	}
	return missing
}

// Model checks, against the graph and the trusted missing pairs: that the model
// has the graph's nodes and actions; disjoint masks; that an operator of the
// action applies at every edge (C1), and each that does has the effect that is
// seen but for listed slack, which is not listed in vain (C2); that of every
// missing pair no operator applies or it is listed as an exception, and no
// exception listed in vain (C3); that what is nondeterministic are pairs seen to
// lead to several codes, all of them but those that slack is paid for, with the
// counts of the graph; that the untried pairs are those that the model alone allows.
// See [Distinct] for what the codes distinguish.
func Model(g *taskgraph.Graph, missing []Pair, m *strips.Model) (Summary, []error) {
	c := checker{g: g, m: m}
	if err := c.shape(); err != nil {
		return Summary{}, []error{err}
	}
	c.masks()
	c.nondeterministic()
	c.edges()
	c.pairs(missing)
	c.untried(missing)
	for _, pair := range AllMissing(g) {
		if !c.ruledOut(pair) {
			c.sum.FalsePositives++
		}
	}
	nodes := map[string]int{}
	for _, x := range c.code {
		nodes[fmt.Sprint(x)]++
	}
	for _, n := range nodes {
		if n > 1 {
			c.sum.SharingNodes += n
		}
	}
	c.sum.States, c.sum.Edges, c.sum.SeparationConstraints = len(g.Nodes), len(g.Edges), len(missing)
	c.sum.Predicates, c.sum.DistinctCodes = m.Predicates, len(nodes)
	c.sum.Actions, c.sum.Operators, c.sum.Nondeterministic = len(g.Labels), len(m.Operators), len(
		m.Nondeterministic)
	return c.sum, c.faults
}

type checker struct {
	g                *taskgraph.Graph
	m                *strips.Model
	code             [][]bool  // by node
	byAction         [][]masks // by action-1: of each operator
	byNondeterminism map[Pair]bool
	sum              Summary
	faults           []error
}

// masks are an operator's, a value for each predicate.
type masks struct{ pos, neg, add, del, toggle []bool }

func (c *checker) fault(format string, args ...any) {
	c.faults = append(c.faults, fmt.Errorf(format, args...))
}

// applies says whether the preconditions hold.
func (k masks) applies(x []bool) bool {
	for p, holds := range x {
		if k.pos[p] && !holds || k.neg[p] && holds {
			return false
		}
	}
	return true
}

// after is the value that predicate p gets.
func (k masks) after(x []bool, p int) bool {
	switch {
	case k.toggle[p]:
		return !x[p]
	case k.add[p]:
		return true
	case k.del[p]:
		return false
	}
	return x[p]
}

func (c *checker) ruledOut(pair Pair) bool {
	for _, k := range c.byAction[pair.Action-1] {
		if k.applies(c.code[pair.State]) {
			return false
		}
	}
	return true
}
