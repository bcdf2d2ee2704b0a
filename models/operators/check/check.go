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
	States        int `json:"states"`
	Edges         int `json:"edges"`
	Atoms         int `json:"atoms"`
	Predicates    int `json:"predicates"`
	Xi            int `json:"xi"`
	Eta           int `json:"eta"`
	Effects       int `json:"effects"`
	Preconditions int `json:"preconditions"`
	DistinctCodes int `json:"distinct_codes"`
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
// has the graph's nodes and actions; disjoint masks; applicability of every edge
// (C1); every effect that is not listed as slack, and no slack listed in vain
// (C2); that every missing pair is ruled out or listed as an exception, and no
// exception listed in vain (C3).
func Model(g *taskgraph.Graph, missing []Pair, m *strips.Model) (Summary, []error) {
	c := checker{g: g, m: m}
	if err := c.shape(); err != nil {
		return Summary{}, []error{err}
	}
	c.masks()
	c.edges()
	c.pairs(missing)
	for _, pair := range AllMissing(g) {
		if !c.ruledOut(pair) {
			c.sum.FalsePositives++
		}
	}
	distinct := map[string]bool{}
	for _, x := range c.code {
		distinct[fmt.Sprint(x)] = true
	}
	c.sum.States, c.sum.Edges, c.sum.Atoms = len(g.Nodes), len(g.Edges), len(missing)
	c.sum.Predicates, c.sum.DistinctCodes = m.Predicates, len(distinct)
	return c.sum, c.faults
}

type checker struct {
	g        *taskgraph.Graph
	m        *strips.Model
	code     [][]bool // by node
	byAction []masks  // by action-1
	sum      Summary
	faults   []error
}

// masks are an operator's, a value for each predicate.
type masks struct{ pos, neg, add, del []bool }

func (c *checker) fault(format string, args ...any) {
	c.faults = append(c.faults, fmt.Errorf(format, args...))
}

func (c *checker) shape() error {
	if len(c.m.Operators) != len(c.g.Labels) || len(c.m.States) != len(c.g.Nodes) {
		return fmt.Errorf("the model has %d actions and %d states, the graph %d and %d",
			len(c.m.Operators), len(c.m.States), len(c.g.Labels), len(c.g.Nodes))
	}
	for i, k := range c.m.States {
		if int(k.Node) != i || k.Code.Len() != c.m.Predicates {
			return fmt.Errorf("state %d of the model is node %d with %d predicates, want node %d with %d", i, k.Node, k.Code.Len(), i, c.m.Predicates)
		}
		x := make([]bool, c.m.Predicates)
		for p := range x {
			x[p] = k.Code.String()[p] == '1'
		}
		c.code = append(c.code, x)
	}
	for i, op := range c.m.Operators {
		if op.Name != c.g.Labels[i] || int(op.Action) != i+1 {
			return fmt.Errorf("action %d of the model is %d %q, want %q", i+1, op.Action, op.Name, c.g.Labels[i])
		}
		k := masks{}
		for _, spread := range []struct {
			to   *[]bool
			from []strips.Predicate
		}{{&k.pos, op.PrePos}, {&k.neg, op.PreNeg}, {&k.add, op.Add}, {&k.del, op.Del}} {
			*spread.to = make([]bool, c.m.Predicates)
			for _, p := range spread.from {
				if p < 0 || int(p) >= c.m.Predicates {
					return fmt.Errorf("action %s: predicate %d is outside 0..%d", op.Name, p, c.m.Predicates-1)
				}
				(*spread.to)[p] = true
			}
		}
		c.byAction = append(c.byAction, k)
	}
	return nil
}

func (c *checker) masks() {
	for a, k := range c.byAction {
		for p := range c.m.Predicates {
			if k.add[p] && k.del[p] {
				c.fault("action %s both adds and deletes predicate %d", c.g.Labels[a], p)
			}
			if k.pos[p] && k.neg[p] {
				c.fault("action %s both requires and forbids predicate %d", c.g.Labels[a], p)
			}
			c.sum.Effects += count(k.add[p]) + count(k.del[p])
			c.sum.Preconditions += count(k.pos[p]) + count(k.neg[p])
		}
	}
}

func (c *checker) edges() {
	listed := map[strips.Slack]bool{}
	for _, s := range c.m.Slack {
		if listed[s] {
			c.fault("slack of edge (%d, %d, %d) and predicate %d is listed twice", s.Source, s.Action, s.Target, s.Predicate)
		}
		listed[s] = true
	}
	c.sum.Xi = len(listed)
	for _, e := range c.g.Edges {
		k, from, to := c.byAction[e.Action-1], c.code[e.Source], c.code[e.Target]
		for p := range from {
			if k.pos[p] && !from[p] || k.neg[p] && from[p] {
				c.fault("C1: edge (%d, %s, %d): the precondition on predicate %d does not hold in the source", e.Source, c.g.Labels[e.Action-1], e.Target, p)
			}
			after := k.add[p] || from[p] && !k.del[p]
			slack := strips.Slack{Source: e.Source, Action: e.Action, Target: e.Target, Predicate: strips.Predicate(p)}
			switch {
			case after != to[p] && !listed[slack]:
				c.fault("C2: edge (%d, %s, %d): predicate %d becomes %t, want %t", e.Source, c.g.Labels[e.Action-1], e.Target, p, after, to[p])
			case after == to[p] && listed[slack]:
				c.fault("C2: edge (%d, %s, %d): slack for predicate %d is not needed", e.Source, c.g.Labels[e.Action-1], e.Target, p)
			}
			delete(listed, slack)
		}
	}
	for _, s := range c.m.Slack { // in the order of the model
		if listed[s] {
			c.fault("C2: slack for (%d, %d, %d), which is no edge", s.Source, s.Action, s.Target)
		}
	}
}

func (c *checker) pairs(missing []Pair) {
	listed := map[Pair]strips.Exception{}
	for _, e := range c.m.Exceptions {
		pair := Pair{e.Node, e.Action}
		if _, twice := listed[pair]; twice {
			c.fault("C3: exception (%d, %d) is listed twice", e.Node, e.Action)
		}
		listed[pair] = e
	}
	c.sum.Eta = len(listed)
	seen := map[string]bool{}
	for _, e := range c.g.Edges {
		seen[fmt.Sprint(e.Action, c.code[e.Source])] = true
	}
	for _, pair := range missing {
		if pair.State < 0 || int(pair.State) >= len(c.code) || pair.Action < 1 || int(pair.Action) > len(c.byAction) {
			c.fault("C3: missing pair (%d, %d) is not in the graph", pair.State, pair.Action)
			continue
		}
		exception, excepted := listed[pair]
		delete(listed, pair)
		ruledOut := c.ruledOut(pair)
		label := c.g.Labels[pair.Action-1]
		switch {
		case !ruledOut && !excepted:
			c.fault("C3: %s is applicable in node %d, where it is trusted not to be", label, pair.State)
		case ruledOut && excepted:
			c.fault("C3: exception (%d, %s) is not needed", pair.State, label)
		case excepted:
			if shared := seen[fmt.Sprint(pair.Action, c.code[pair.State])]; shared != exception.Shared {
				c.fault("exception (%d, %s): shared is %t, want %t", pair.State, label, exception.Shared, shared)
			}
		}
	}
	for _, e := range c.m.Exceptions {
		if _, left := listed[Pair{e.Node, e.Action}]; left {
			c.fault("C3: exception (%d, %d) is no trusted missing pair", e.Node, e.Action)
		}
	}
}

func (c *checker) ruledOut(pair Pair) bool {
	k := c.byAction[pair.Action-1]
	for p, holds := range c.code[pair.State] {
		if k.pos[p] && !holds || k.neg[p] && holds {
			return true
		}
	}
	return false
}

func count(v bool) int {
	if v {
		return 1
	}
	return 0
}
