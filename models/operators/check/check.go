package check

import (
	"fmt"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Pair is a node and an action.
type Pair = taskgraph.Pair

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
		seen[Pair{State: e.Source, Action: e.Action}] = true
	}
	var missing []Pair
	for s := range g.Nodes {
		for a := range g.Labels {
			if pair := (Pair{State: strips.StateID(s), Action: strips.ActionID(a + 1)}); !seen[pair] {
				missing = append(missing, pair)
			}
		}
	}
	return missing
}

// Model checks a model against the graph and the trusted missing pairs:
//   - It has the graph's nodes and actions. No operator adds and deletes a predicate, or requires
//     and forbids one.
//   - At every edge an operator of the action applies (C1). Each one that applies gives the target,
//     but for listed slack, and all listed slack is needed (C2).
//   - At every missing pair no operator applies, or the pair is an exception, and every exception
//     is needed (C3).
//   - The nondeterministic pairs are those that the graph shows to lead to several codes, with the
//     counts of the graph, but for pairs that slack is paid for.
//   - The untried pairs are those that only the model allows.
//
// [Distinct] checks that nodes have different codes.
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

// Edges checks only that a model has the nodes and actions of a graph, and denies none of its
// edges.
func Edges(g *taskgraph.Graph, m *strips.Model) error {
	c := checker{g: g, m: m}
	if err := c.shape(); err != nil {
		return err
	}
	c.nondeterministic()
	c.edges()
	if len(c.faults) > 0 {
		return c.faults[0]
	}
	return nil
}

type checker struct {
	g                *taskgraph.Graph
	m                *strips.Model
	code             [][]bool      // by node
	byAction         [][]masks     // by action-1: of each operator
	byNondeterminism map[Pair]bool // whether the model lists it
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

func (c *checker) shape() error {
	if len(c.m.States) != len(c.g.Nodes) {
		return fmt.Errorf("the model has %d states, the graph %d", len(c.m.States), len(c.g.Nodes))
	}
	for i, k := range c.m.States {
		if int(k.Node) != i || k.Code.Len() != c.m.Predicates {
			return fmt.Errorf("state %d of the model is node %d with %d predicates, want node %d with %d", i,
				k.Node, k.Code.Len(), i, c.m.Predicates)
		}
		x := make([]bool, c.m.Predicates)
		for p := range x {
			x[p] = k.Code.String()[p] == '1'
		}
		c.code = append(c.code, x)
	}
	c.byAction = make([][]masks, len(c.g.Labels))
	for i, op := range c.m.Operators {
		if op.Action < 1 || int(op.Action) > len(c.g.Labels) {
			return fmt.Errorf("operator %d of the model is of action %d, want 1..%d", i+1, op.Action,
				len(c.g.Labels))
		}
		if label := c.g.Labels[op.Action-1]; op.Name != label {
			return fmt.Errorf("operator %d of the model is of action %d %q, want %q", i+1, op.Action,
				op.Name, label)
		}
		if i > 0 && op.Action < c.m.Operators[i-1].Action {
			return fmt.Errorf("operator %d of the model is of action %d, after one of action %d", i+1,
				op.Action, c.m.Operators[i-1].Action)
		}
		k, err := c.spread(op)
		if err != nil {
			return err
		}
		c.byAction[op.Action-1] = append(c.byAction[op.Action-1], k)
	}
	for a, variants := range c.byAction {
		if len(variants) == 0 {
			return fmt.Errorf("the model has no operator for action %d %q", a+1, c.g.Labels[a])
		}
	}
	return nil
}

// spread gives an operator's masks a value for each predicate.
func (c *checker) spread(op strips.Operator) (k masks, err error) {
	for _, spread := range []struct {
		to   *[]bool
		from []strips.Predicate
	}{{&k.pos, op.PrePos}, {&k.neg, op.PreNeg}, {&k.add, op.Add}, {&k.del, op.Del},
		{&k.toggle, op.Toggle}} {
		*spread.to = make([]bool, c.m.Predicates)
		for _, p := range spread.from {
			if p < 0 || int(p) >= c.m.Predicates {
				return k, fmt.Errorf("action %s: predicate %d is outside 0..%d", op.Name, p, c.m.Predicates-1)
			}
			(*spread.to)[p] = true
		}
	}
	return k, nil
}

func (c *checker) masks() {
	for a, variants := range c.byAction {
		for _, k := range variants {
			for p := range c.m.Predicates {
				if k.add[p] && k.del[p] {
					c.fault("action %s both adds and deletes predicate %d", c.g.Labels[a], p)
				}
				if k.toggle[p] && (k.add[p] || k.del[p]) {
					c.fault("action %s both toggles and sets predicate %d", c.g.Labels[a], p)
				}
				if k.pos[p] && k.neg[p] {
					c.fault("action %s both requires and forbids predicate %d", c.g.Labels[a], p)
				}
				c.sum.Effects += count(k.add[p]) + count(k.del[p]) + count(k.toggle[p])
				c.sum.Preconditions += count(k.pos[p]) + count(k.neg[p])
			}
		}
	}
}

func count(v bool) int {
	if v {
		return 1
	}
	return 0
}

func (c *checker) edges() {
	listed := map[strips.Slack]bool{}
	for _, s := range c.m.Slack {
		if listed[s] {
			c.fault("slack of edge (%d, %d, %d) and predicate %d is listed twice", s.Source, s.Action,
				s.Target, s.Predicate)
		}
		listed[s] = true
	}
	c.sum.Xi = len(listed)
	for _, e := range c.g.Edges {
		if c.byNondeterminism[Pair{State: e.Source, Action: e.Action}] {
			continue // its slack stays listed, which is a fault
		}
		variants := c.applying(e)
		label, from, to := c.g.Labels[e.Action-1], c.code[e.Source], c.code[e.Target]
		for p := range from {
			wrong := false
			for _, k := range variants {
				wrong = wrong || k.after(from, p) != to[p]
			}
			slack := strips.Slack{Source: e.Source, Action: e.Action, Target: e.Target,
				Predicate: strips.Predicate(p)}
			switch {
			case wrong && !listed[slack]:
				c.fault("C2: edge (%d, %s, %d): predicate %d becomes %t, want %t", e.Source, label, e.Target, p,
					!to[p], to[p])
			case !wrong && listed[slack]:
				c.fault("C2: edge (%d, %s, %d): slack for predicate %d is not needed", e.Source, label,
					e.Target, p)
			}
			delete(listed, slack)
		}
	}
	for _, s := range c.m.Slack { // in the order of the model
		if listed[s] {
			c.fault("C2: slack for (%d, %d, %d), which is no edge that operators explain", s.Source,
				s.Action, s.Target)
		}
	}
}

// applying are the operators that apply at the source of an edge; it is a fault if
// none does.
func (c *checker) applying(e taskgraph.Edge) (variants []masks) {
	all, label := c.byAction[e.Action-1], c.g.Labels[e.Action-1]
	for _, k := range all {
		if k.applies(c.code[e.Source]) {
			variants = append(variants, k)
		}
	}
	switch {
	case len(variants) > 0:
	case len(all) > 1:
		c.fault("C1: edge (%d, %s, %d): none of the %d operators applies in the source", e.Source, label,
			e.Target, len(all))
	default:
		for p, holds := range c.code[e.Source] {
			if all[0].pos[p] && !holds || all[0].neg[p] && holds {
				c.fault("C1: edge (%d, %s, %d): the precondition on predicate %d does not hold in the source",
					e.Source, label, e.Target, p)
			}
		}
	}
	return variants
}

func (c *checker) pairs(missing []Pair) {
	listed := map[Pair]strips.Exception{}
	for _, e := range c.m.Exceptions {
		pair := Pair{State: e.Node, Action: e.Action}
		if _, twice := listed[pair]; twice {
			c.fault("C3: exception (%d, %d) is listed twice", e.Node, e.Action)
		}
		listed[pair] = e
	}
	c.sum.Eta = len(listed)
	seen := c.seen()
	for _, pair := range missing {
		if pair.State < 0 || int(pair.State) >= len(c.code) || pair.Action < 1 ||
			int(pair.Action) > len(c.byAction) {
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
			if shared := seen[c.inCode(pair)]; shared != exception.Shared {
				c.fault("exception (%d, %s): shared is %t, want %t", pair.State, label, exception.Shared,
					shared)
			}
		}
	}
	for _, e := range c.m.Exceptions {
		if _, left := listed[Pair{State: e.Node, Action: e.Action}]; left {
			c.fault("C3: exception (%d, %d) is no trusted missing pair", e.Node, e.Action)
		}
	}
}

// nondeterministic compares the pairs that the model calls nondeterministic with those that the
// graph shows to lead to several codes.
func (c *checker) nondeterministic() {
	counts := map[Pair]map[strips.StateID]int{}
	codes := map[Pair]map[string]bool{}
	for _, e := range c.g.Edges {
		pair := Pair{State: e.Source, Action: e.Action}
		if counts[pair] == nil {
			counts[pair], codes[pair] = map[strips.StateID]int{}, map[string]bool{}
		}
		counts[pair][e.Target] += e.Support
		codes[pair][fmt.Sprint(c.code[e.Target])] = true
	}
	c.byNondeterminism = map[Pair]bool{}
	for _, outcome := range c.m.Nondeterministic {
		pair := Pair{State: outcome.Node, Action: outcome.Action}
		if c.byNondeterminism[pair] {
			c.fault("nondeterministic pair (%d, %d) is listed twice", pair.State, pair.Action)
		}
		c.byNondeterminism[pair] = true
		if len(codes[pair]) < 2 {
			c.fault("nondeterministic pair (%d, %d) was not seen to lead to several codes", pair.State,
				pair.Action)
		}
		listed := map[strips.StateID]int{}
		for _, o := range outcome.Outcomes {
			listed[o.Target] += o.Count
			if n := counts[pair][o.Target]; n != o.Count {
				c.fault("nondeterministic pair (%d, %d): seen %d times to lead to node %d, want %d",
					pair.State, pair.Action, o.Count, o.Target, n)
			}
		}
		if len(listed) != len(counts[pair]) || len(listed) != len(outcome.Outcomes) {
			c.fault("nondeterministic pair (%d, %d): %d outcomes, want %d", pair.State, pair.Action,
				len(outcome.Outcomes), len(counts[pair]))
		}
	}
	paid := map[Pair]bool{}
	for _, s := range c.m.Slack {
		paid[Pair{State: s.Source, Action: s.Action}] = true
	}
	for i, e := range c.g.Edges {
		pair := Pair{State: e.Source, Action: e.Action}
		if i > 0 && c.g.Edges[i-1].Source == e.Source && c.g.Edges[i-1].Action == e.Action {
			continue
		}
		if len(codes[pair]) > 1 && !c.byNondeterminism[pair] && !paid[pair] {
			c.fault("(%d, %s) was seen to lead to %d codes and is not nondeterministic", e.Source,
				c.g.Labels[e.Action-1], len(codes[pair]))
		}
	}
}

// Distinct checks that nodes have different codes. Nodes of one group, which the recording shows to
// be one state, may share theirs.
func Distinct(m *strips.Model, groups [][]strips.StateID) (faults []error) {
	group := map[strips.StateID]int{}
	for i, nodes := range groups {
		for _, s := range nodes {
			group[s] = i + 1
		}
	}
	first := map[string]strips.StateID{}
	for _, k := range m.States {
		code := k.Code.String()
		s, taken := first[code]
		if !taken {
			first[code] = k.Node
		} else if group[s] == 0 || group[s] != group[k.Node] {
			faults = append(faults,
				fmt.Errorf("nodes %d and %d have the same code %s and are not known to be one state", s, k.Node,
					code))
		}
	}
	return faults
}

// untried checks that the pairs which the model calls untried are those of no edge and no missing
// pair where some operator of the action applies, and all that apply give the same state.
func (c *checker) untried(missing []Pair) {
	known := map[Pair]bool{}
	for _, pair := range missing {
		known[pair] = true
	}
	seen := c.seen()
	listed := map[Pair]bool{}
	for _, u := range c.m.Untried {
		pair := Pair{State: u.Node, Action: u.Action}
		if listed[pair] {
			c.fault("untried (%d, %d) is listed twice", u.Node, u.Action)
		}
		listed[pair] = true
	}
	c.sum.Untried = len(listed)
	for _, pair := range AllMissing(c.g) {
		open := !known[pair] && !seen[c.inCode(pair)] && c.predicts(pair)
		if open != listed[pair] {
			c.fault("untried: that %s was not tried in node %d is listed: %t, want %t",
				c.g.Labels[pair.Action-1], pair.State, listed[pair], open)
		}
		delete(listed, pair)
	}
	for _, u := range c.m.Untried {
		if listed[Pair{State: u.Node, Action: u.Action}] {
			c.fault("untried (%d, %d) was seen to succeed", u.Node, u.Action)
		}
	}
}

// seen is the actions that succeeded, each in the code of the node where it did.
func (c *checker) seen() map[string]bool {
	seen := map[string]bool{}
	for _, e := range c.g.Edges {
		seen[c.inCode(Pair{State: e.Source, Action: e.Action})] = true
	}
	return seen
}

// inCode is a pair's action and its node's code.
func (c *checker) inCode(pair Pair) string { return fmt.Sprint(pair.Action, c.code[pair.State]) }

// predicts says whether some operator of the action applies, and all that do agree.
func (c *checker) predicts(pair Pair) bool {
	from := c.code[pair.State]
	outcomes := map[string]bool{}
	for _, k := range c.byAction[pair.Action-1] {
		if !k.applies(from) {
			continue
		}
		to := make([]bool, len(from))
		for p := range from {
			to[p] = k.after(from, p)
		}
		outcomes[fmt.Sprint(to)] = true
	}
	return len(outcomes) == 1
}
