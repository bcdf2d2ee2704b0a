package strips

import (
	"fmt"
	"slices"
)

// refusedState is a predicate state in which the model refuses actions whose
// preconditions hold.
type refusedState struct {
	code State
	node StateID // the first with this code
	by   []ActionID
}

// refusedStates lists them in the order of the exceptions, then of the nondeterministic outcomes
// and of the untried pairs.
func (m *Model) refusedStates() []refusedState {
	var list []refusedState
	position := map[State]int{}
	refuse := func(node StateID, a ActionID) {
		code, _ := m.Code(node)
		if !slices.ContainsFunc(m.Variants(a), func(o Operator) bool { return o.Applicable(code) }) {
			return // by preconditions already
		}
		i, seen := position[code]
		if !seen {
			i = len(list)
			position[code] = i
			list = append(list, refusedState{code: code, node: node})
		}
		if !slices.Contains(list[i].by, a) {
			list[i].by = append(list[i].by, a)
		}
	}
	for _, e := range m.Exceptions {
		if !e.Shared {
			refuse(e.Node, e.Action)
		}
	}
	for _, c := range m.Nondeterministic {
		refuse(c.Node, c.Action)
	}
	for _, u := range m.Untried {
		refuse(u.Node, u.Action)
	}
	return list
}

// mark is the fluent that is true in exactly this state.
func (r *refusedState) mark() string { return fmt.Sprintf("(node%d)", r.node) }

// notThere are the preconditions that keep an operator out of the states that
// refuse it.
func notThere(refused []refusedState, op *Operator) (text string) {
	for _, r := range refused {
		if slices.Contains(r.by, op.Action) && op.Applicable(r.code) {
			text += fmt.Sprintf(" (not %s)", r.mark())
		}
	}
	return text
}

// keepMarks are the effects that keep the marks true while the operator changes
// the state: a mark goes when its state is left, and comes when it is entered.
func keepMarks(refused []refusedState, op *Operator) (text string) {
	for _, r := range refused {
		if op.Applicable(r.code) && op.Apply(r.code) != r.code && !slices.Contains(r.by, op.Action) {
			text += fmt.Sprintf(" (when %s (not %[1]s))", r.mark())
		}
		if pos, neg, can := op.entering(r.code); can {
			text += fmt.Sprintf(" (when (and%s) %s)", literals(NegativePreconditions, pos, neg), r.mark())
		}
	}
	return text
}

// entering is what must hold beside the preconditions for the operator to lead
// to a state, and whether it can at all: the state must have the effects, what
// the operator requires and does not change, and the reverse of what it toggles.
func (o *Operator) entering(to State) (pos, neg []Predicate, can bool) {
	for _, mask := range []struct {
		predicates []Predicate
		value      bool
	}{{o.Add, true}, {o.Del, false}} {
		for _, p := range mask.predicates {
			if to.Get(p) != mask.value {
				return nil, nil, false
			}
		}
	}
	for p := range Predicate(to.Len()) {
		holds := to.Get(p) != slices.Contains(o.Toggle, p) // before
		switch {
		case slices.Contains(o.Add, p), slices.Contains(o.Del, p):
			continue
		case slices.Contains(o.PrePos, p), slices.Contains(o.PreNeg, p):
			if slices.Contains(o.PrePos, p) != holds {
				return nil, nil, false
			}
		case holds:
			pos = append(pos, p)
		default:
			neg = append(neg, p)
		}
	}
	return pos, neg, o.Effects() > 0
}
