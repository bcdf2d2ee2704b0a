package check

import (
	"fmt"

	"stripswm/models/strips"
)

// Path replays a plan from start and the states that it claims to go through, first and last
// included. A step whose outcome the model calls nondeterministic may lead to each of the outcomes,
// one that nobody tried to what the model predicts; Path returns which steps these are, counted
// from 0. The goal has to hold in the last state.
func Path(m *strips.Model, start strips.State, goal []strips.Literal, plan []strips.ActionID,
	states []strips.State,
) (left []int, err error) {
	if start.Len() != m.Predicates {
		return nil, fmt.Errorf("plan: start has %d predicates, want %d", start.Len(), m.Predicates)
	}
	if len(states) != len(plan)+1 || states[0] != start {
		return nil, fmt.Errorf("plan: %d actions and %d states, want one more that begin with the start",
			len(plan), len(states))
	}
	r := &replay{m, start.Bools(), make([]bool, m.Predicates)}
	for i, a := range plan {
		to := states[i+1]
		if to.Len() != m.Predicates {
			return nil, fmt.Errorf("plan: the state after step %d has %d predicates, want %d", i+1, to.Len(),
				m.Predicates)
		}
		if outcomes := r.nondeterministic(a); len(outcomes) > 0 {
			if err := r.outcome(a, outcomes, to); err != nil {
				return nil, fmt.Errorf("plan: step %d: %w", i+1, err)
			}
			left = append(left, i)
		} else {
			if r.untried(a) {
				left = append(left, i)
			}
			if err := r.step(a); err != nil {
				return nil, fmt.Errorf("plan: step %d: %w", i+1, err)
			}
		}
		for p, holds := range r.x {
			if claimed := to.Get(strips.Predicate(p)); holds != claimed {
				return nil, fmt.Errorf("plan: step %d: predicate %d becomes %t, not %t", i+1, p, holds,
					claimed)
			}
		}
	}
	for _, l := range goal {
		if r.x[l.Predicate] == l.Negated {
			return nil, fmt.Errorf("plan: ends with predicate %d %t, the goal wants it %t",
				l.Predicate, l.Negated, !l.Negated)
		}
	}
	return left, nil
}

// outcome brings x to one of the outcomes.
func (r *replay) outcome(a strips.ActionID, outcomes []strips.StateID, to strips.State) error {
	if node := r.refused(a); node >= 0 {
		return fmt.Errorf("%s is known not to apply at node %d", name(r.m, a), node)
	}
	x := to.Bools()
	for _, node := range outcomes {
		if isCode(r.m, node, x) {
			r.x = x
			return nil
		}
	}
	return fmt.Errorf("%s was not seen to lead to %v", name(r.m, a), to)
}

// replay is a plan under way: the state, and room for the next.
type replay struct {
	m       *strips.Model
	x, next []bool
}

// step brings x to the state after an action: some operator of it must apply, and
// all that do must come to the same.
func (r *replay) step(a strips.ActionID) error {
	applies := false
	for i := range r.m.Operators {
		op := &r.m.Operators[i]
		if op.Action != a {
			continue
		}
		if p, _ := unmet(op, r.x); p >= 0 {
			continue
		}
		for p, holds := range r.x {
			after := in(p, op.Add) || holds && !in(p, op.Del)
			if in(p, op.Toggle) {
				after = !holds
			}
			if applies && after != r.next[p] {
				return fmt.Errorf("two operators of %s apply and disagree about predicate %d", op.Name, p)
			}
			r.next[p] = after
		}
		applies = true
	}
	if !applies {
		return r.why(a)
	}
	if node := r.refused(a); node >= 0 {
		return fmt.Errorf("%s is known not to apply at node %d", name(r.m, a), node)
	}
	r.x, r.next = r.next, r.x
	return nil
}

// why says why no operator of an action applies.
func (r *replay) why(a strips.ActionID) error {
	last := strips.ActionID(0)
	err := error(nil)
	for i := range r.m.Operators {
		op := &r.m.Operators[i]
		last = max(last, op.Action)
		if op.Action != a {
			continue
		}
		p, wanted := unmet(op, r.x)
		if err = fmt.Errorf("%s forbids predicate %d, which is true", op.Name, p); wanted {
			err = fmt.Errorf("%s requires predicate %d, which is false", op.Name, p)
		}
	}
	if err == nil {
		return fmt.Errorf("action %d is outside 1..%d", a, last)
	}
	return err
}

// unmet is the first precondition that x does not meet, and whether it is one that
// should hold; -1 for none.
func unmet(op *strips.Operator, x []bool) (p int, wanted bool) {
	for p, holds := range x {
		if !holds && in(p, op.PrePos) {
			return p, true
		}
		if holds && in(p, op.PreNeg) {
			return p, false
		}
	}
	return -1, false
}

// refused is a node with the present code that is an exception to the action, or -1.
func (r *replay) refused(a strips.ActionID) strips.StateID {
	for _, e := range r.m.Exceptions {
		if e.Action == a && !e.Shared && isCode(r.m, e.Node, r.x) {
			return e.Node
		}
	}
	return -1
}

// nondeterministic outcomes are the nodes that the action may lead to, if that is nondeterministic.
func (r *replay) nondeterministic(a strips.ActionID) (to []strips.StateID) {
	for _, c := range r.m.Nondeterministic {
		if c.Action == a && isCode(r.m, c.Node, r.x) {
			for _, o := range c.Outcomes {
				to = append(to, o.Target)
			}
		}
	}
	return to
}

// untried says whether the model calls the action untried in the present state.
func (r *replay) untried(a strips.ActionID) bool {
	for _, u := range r.m.Untried {
		if u.Action == a && isCode(r.m, u.Node, r.x) {
			return true
		}
	}
	return false
}

func name(m *strips.Model, a strips.ActionID) string {
	for _, op := range m.Operators {
		if op.Action == a {
			return op.Name
		}
	}
	return fmt.Sprint("action ", a)
}

func in(p int, mask []strips.Predicate) bool {
	for _, q := range mask {
		if int(q) == p {
			return true
		}
	}
	return false
}

func isCode(m *strips.Model, node strips.StateID, x []bool) bool {
	for _, k := range m.States {
		if k.Node != node {
			continue
		}
		for p, holds := range x {
			if k.Code.Get(strips.Predicate(p)) != holds {
				return false
			}
		}
		return true
	}
	return false
}
