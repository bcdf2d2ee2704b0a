package strips

import "slices"

// Model is a learned STRIPS world model.
type Model struct {
	Predicates       int              // m
	Names            []string         // one a predicate, for people and PDDL; nil is p0, p1, ...
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

// StateID is a node of a task graph, counted from 0.
type StateID int

// ActionID is an opaque action label, 1..L. Zero is no action.
type ActionID int

// Predicate is an index into a predicate vector, 0..m-1.
type Predicate int

// Operator is a grounded propositional operator,
// ω_a = ⟨pre⁺, pre⁻, add, del⟩ in the paper, and beyond it the predicates that
// it toggles (x' = not x). An action has one or several: see [Model.Variants].
// Each mask lists its predicates in ascending order; PrePos and PreNeg are
// disjoint, and so are Add, Del and Toggle.
type Operator struct {
	Action ActionID
	Name   string // the action's label, the same in all its variants
	PrePos []Predicate
	PreNeg []Predicate
	Add    []Predicate
	Del    []Predicate
	Toggle []Predicate
}

// Applicable says whether the preconditions hold in s.
func (o *Operator) Applicable(s State) bool {
	for _, p := range o.PrePos {
		if !s.Get(p) {
			return false
		}
	}
	for _, p := range o.PreNeg {
		if s.Get(p) {
			return false
		}
	}
	return true
}

// Apply returns Add ∪ (s \ Del) with the predicates of Toggle inverted, whether
// or not the operator is applicable.
func (o *Operator) Apply(s State) State { return s.With(o.Add, o.Del).Toggled(o.Toggle) }

// Effects is the number of predicates that the operator adds, deletes or toggles.
func (o *Operator) Effects() int { return len(o.Add) + len(o.Del) + len(o.Toggle) }

// Violated lists the preconditions that do not hold in s: those that should be
// true, then those that should be false.
func (o *Operator) Violated(s State) (pos, neg []Predicate) {
	for _, p := range o.PrePos {
		if !s.Get(p) {
			pos = append(pos, p)
		}
	}
	for _, p := range o.PreNeg {
		if s.Get(p) {
			neg = append(neg, p)
		}
	}
	return pos, neg
}

// Excludes says whether one operator requires what the other forbids, so that no
// state has the preconditions of both.
func (o *Operator) Excludes(other *Operator) bool {
	_, contrary := overlap(o.PrePos, other.PreNeg)
	_, converse := overlap(o.PreNeg, other.PrePos)
	return contrary || converse
}

// Nondeterminism is a node and an action for which the recording shows several outcomes
// in fact. Operators say nothing of it: in the code of the node the model
// refuses the action like an exception. What counts on it has to look afterwards.
type Nondeterminism struct {
	Node     StateID   `json:"node"`
	Action   ActionID  `json:"action"`
	Outcomes []Outcome `json:"outcomes"` // by target, at least two
}

// Outcome is a node that an action was seen to lead to, and how often.
type Outcome struct {
	Target StateID `json:"target"`
	Count  int     `json:"count"`
}

// Total is how often the action was seen at the node.
func (c Nondeterminism) Total() int {
	n := 0
	for _, o := range c.Outcomes {
		n += o.Count
	}
	return n
}

// Untried is a node and an action whose preconditions hold there, though nobody
// knows: it was not seen to succeed there, and not tried often enough to say that it
// is refused. In the code of the node the model refuses the action like an exception;
// what counts on it has to look afterwards.
type Untried struct {
	Node   StateID
	Action ActionID
}

// Actions is L, the number of actions.
func (m *Model) Actions() int {
	if len(m.Operators) == 0 {
		return 0
	}
	return int(m.Operators[len(m.Operators)-1].Action)
}

// Variants returns the operators of action a, none for an unknown action. Where
// an action does different things in different states it has several: their
// preconditions exclude each other in every known state. The slice is the
// model's own.
func (m *Model) Variants(a ActionID) []Operator {
	from, found := slices.BinarySearchFunc(m.Operators, a, func(o Operator, a ActionID) int {
		return int(o.Action - a)
	})
	if !found {
		return nil
	}
	to := from + 1
	for to < len(m.Operators) && m.Operators[to].Action == a {
		to++
	}
	return m.Operators[from:to]
}

// Label is the name of action a, empty for an unknown action.
func (m *Model) Label(a ActionID) string {
	if variants := m.Variants(a); len(variants) > 0 {
		return variants[0].Name
	}
	return ""
}

// Predict returns the state that the operators say action a leads to from s,
// exceptions and nondeterministic outcomes aside: what the variants that apply there make of it.
// It is false where none applies, and where two apply that disagree, which can
// only be in a state that was never seen: the model does not know then.
func (m *Model) Predict(s State, a ActionID) (State, bool) {
	if s.Len() != m.Predicates {
		return State{}, false
	}
	return Predict(m.Variants(a), s)
}

// Predict is [Model.Predict] for the variants of one action and a state that has
// the model's length.
func Predict(variants []Operator, s State) (next State, ok bool) {
	if len(variants) == 1 { // as most have
		op := &variants[0]
		if !op.Applicable(s) {
			return State{}, false
		}
		return op.Apply(s), true
	}
	for i := range variants {
		op := &variants[i]
		if !op.Applicable(s) {
			continue
		}
		to := op.Apply(s)
		if ok && to != next {
			return State{}, false
		}
		next, ok = to, true
	}
	return next, ok
}

// Refusal is a predicate state in which the model refuses an action although
// its preconditions hold.
type Refusal struct {
	Code   State
	Action ActionID
}

// Refusals is the set of predicate states in which an exception forbids an
// action, its outcome is nondeterministic, or nobody tried it.
func (m *Model) Refusals() map[Refusal]bool {
	set := make(map[Refusal]bool, len(m.Exceptions)+len(m.Nondeterministic)+len(m.Untried))
	for _, e := range m.Exceptions {
		if e.Shared {
			continue
		}
		if code, ok := m.Code(e.Node); ok {
			set[Refusal{code, e.Action}] = true
		}
	}
	for _, c := range m.Nondeterministic {
		if code, ok := m.Code(c.Node); ok {
			set[Refusal{code, c.Action}] = true
		}
	}
	for _, u := range m.Untried {
		if code, ok := m.Code(u.Node); ok {
			set[Refusal{code, u.Action}] = true
		}
	}
	return set
}

// Successor returns the state that action a leads to from s, and false where the model says that it
// does not apply or does not know where it leads: unknown action, violated preconditions, variants
// that disagree, exception, nondeterministic outcome or untried pair. It looks those up each time;
// a search that asks often keeps [Model.Refusals] instead.
func (m *Model) Successor(s State, a ActionID) (State, bool) {
	next, ok := m.Predict(s, a)
	if !ok || m.Refusals()[Refusal{s, a}] {
		return State{}, false
	}
	return next, true
}
