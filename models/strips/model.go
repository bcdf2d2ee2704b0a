package strips

import (
	"fmt"
	"slices"
)

// Model is a learned STRIPS world model.
type Model struct {
	Predicates int         // m
	Operators  []Operator  // Operators[a-1] is action a
	States     []Known     // one a task-graph node, by node
	Exceptions []Exception // eta = 1, by node and action
	Slack      []Slack     // xi = 1, by source, action, target, predicate
}

// Known is a task-graph node and its predicate vector.
type Known struct {
	Node StateID
	Code State
}

// Exception is a trusted missing pair (s, a) with applicability slack
// (eta = 1 in the paper): the data says that the action does not apply at the
// node, and no precondition says so. The model refuses the action there.
//
// Shared marks an exception whose node has the same code as a node where the
// action was seen to succeed. An observation outweighs a missing one, so there
// the model does not refuse.
type Exception struct {
	Node   StateID
	Action ActionID
	Shared bool
}

// Slack is one edge and one predicate whose value after the action is not what
// the operator says (xi = 1 in the paper).
type Slack struct {
	Source    StateID
	Action    ActionID
	Target    StateID
	Predicate Predicate
}

// Operator returns the operator of action a, or nil if the model has none.
func (m *Model) Operator(a ActionID) *Operator {
	if a < 1 || int(a) > len(m.Operators) {
		return nil
	}
	return &m.Operators[a-1]
}

// Code returns the predicate vector of a node.
func (m *Model) Code(node StateID) (State, bool) {
	i, found := slices.BinarySearchFunc(m.States, node, func(k Known, n StateID) int { return int(k.Node - n) })
	if !found {
		return State{}, false
	}
	return m.States[i].Code, true
}

// Nodes groups the nodes by their code; codes are in order of their first node.
func (m *Model) Nodes() (codes []State, nodes map[State][]StateID) {
	nodes = make(map[State][]StateID, len(m.States))
	for _, k := range m.States {
		if _, seen := nodes[k.Code]; !seen {
			codes = append(codes, k.Code)
		}
		nodes[k.Code] = append(nodes[k.Code], k.Node)
	}
	return codes, nodes
}

// Refusal is a predicate state in which the model refuses an action although
// its preconditions hold.
type Refusal struct {
	Code   State
	Action ActionID
}

// Refusals is the set of predicate states that the exceptions forbid.
func (m *Model) Refusals() map[Refusal]bool {
	set := make(map[Refusal]bool, len(m.Exceptions))
	for _, e := range m.Exceptions {
		if e.Shared {
			continue
		}
		if code, ok := m.Code(e.Node); ok {
			set[Refusal{code, e.Action}] = true
		}
	}
	return set
}

// Successor returns the state that action a leads to from s, and false where
// the model says that it does not apply: unknown action, violated precondition
// or exception. It looks the exceptions up each time; a search that asks often
// keeps [Model.Refusals] instead.
func (m *Model) Successor(s State, a ActionID) (State, bool) {
	op := m.Operator(a)
	if op == nil || s.Len() != m.Predicates || !op.Applicable(s) || m.Refusals()[Refusal{s, a}] {
		return State{}, false
	}
	return op.Apply(s), true
}

// Nearest returns the known states at the least Hamming distance from s, in
// order of their nodes with each code once, and that distance. With no known
// state of the right length it returns nothing and -1.
func (m *Model) Nearest(s State) (nearest []Known, distance int) {
	distance = -1
	seen := map[State]bool{}
	for _, k := range m.States {
		if k.Code.Len() != s.Len() || seen[k.Code] {
			continue
		}
		seen[k.Code] = true
		d := s.Distance(k.Code)
		if distance < 0 || d < distance {
			nearest, distance = nearest[:0], d
		}
		if d == distance {
			nearest = append(nearest, k)
		}
	}
	return nearest, distance
}

// Validate reports the first thing that makes m malformed: indices out of
// range, overlapping masks, repeated nodes or names, codes of the wrong length.
func (m *Model) Validate() error {
	if m.Predicates < 0 {
		return fmt.Errorf("model: %d predicates", m.Predicates)
	}
	names := map[string]int{}
	for i := range m.Operators {
		op := &m.Operators[i]
		if op.Action != ActionID(i+1) {
			return fmt.Errorf("model: action %d is numbered %d", i+1, op.Action)
		}
		if j, taken := names[op.Name]; taken {
			return fmt.Errorf("model: actions %d and %d are both named %q", j, i+1, op.Name)
		}
		names[op.Name] = i + 1
		if err := op.validate(m.Predicates); err != nil {
			return fmt.Errorf("model: action %d (%s): %w", i+1, op.Name, err)
		}
	}
	for i, k := range m.States {
		if k.Node < 0 || i > 0 && k.Node <= m.States[i-1].Node {
			return fmt.Errorf("model: state %d: node %d is negative, repeated or out of order", i, k.Node)
		}
		if k.Code.Len() != m.Predicates {
			return fmt.Errorf("model: node %d: code has %d predicates, want %d", k.Node, k.Code.Len(), m.Predicates)
		}
	}
	for i, e := range m.Exceptions {
		if _, ok := m.Code(e.Node); !ok || m.Operator(e.Action) == nil {
			return fmt.Errorf("model: exception %d: node %d or action %d is not in the model", i, e.Node, e.Action)
		}
	}
	for i, s := range m.Slack {
		_, source := m.Code(s.Source)
		_, target := m.Code(s.Target)
		if !source || !target || m.Operator(s.Action) == nil || s.Predicate < 0 || int(s.Predicate) >= m.Predicates {
			return fmt.Errorf("model: slack %d: (%d, %d, %d, %d) is not in the model", i, s.Source, s.Action, s.Target, s.Predicate)
		}
	}
	return nil
}

func (o *Operator) validate(m int) error {
	masks := []struct {
		name string
		mask []Predicate
	}{{"pre_pos", o.PrePos}, {"pre_neg", o.PreNeg}, {"add", o.Add}, {"del", o.Del}}
	for _, k := range masks {
		for i, p := range k.mask {
			if p < 0 || int(p) >= m {
				return fmt.Errorf("%s: predicate %d is outside 0..%d", k.name, p, m-1)
			}
			if i > 0 && p <= k.mask[i-1] {
				return fmt.Errorf("%s: predicate %d is repeated or out of order", k.name, p)
			}
		}
	}
	if p, both := overlap(o.PrePos, o.PreNeg); both {
		return fmt.Errorf("predicate %d is in pre_pos and in pre_neg", p)
	}
	if p, both := overlap(o.Add, o.Del); both {
		return fmt.Errorf("predicate %d is in add and in del", p)
	}
	return nil
}

func overlap(a, b []Predicate) (Predicate, bool) {
	for _, p := range a {
		if slices.Contains(b, p) {
			return p, true
		}
	}
	return 0, false
}
