package strips

import "slices"

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
