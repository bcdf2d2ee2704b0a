package strips

import "slices"

// Model is a learned STRIPS world model.
type Model struct {
	Predicates       int              // m
	Operators        []Operator       // by action; those of one action are its variants
	States           []Known          // one a task-graph node, by node
	Exceptions       []Exception      // eta = 1, by node and action
	Slack            []Slack          // xi = 1, by source, action, target, predicate
	Nondeterministic []Nondeterminism // pairs with several outcomes, by node and action
	Untried          []Untried        // pairs that apply by preconditions alone, by node and action
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

// Code returns the predicate vector of a node.
func (m *Model) Code(node StateID) (State, bool) {
	i, found := slices.BinarySearchFunc(m.States, node, func(k Known, n StateID) int {
		return int(k.Node - n)
	})
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
