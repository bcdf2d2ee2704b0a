package check

import (
	"fmt"

	"stripswm/models/strips"
)

// Plan replays the actions from start by the letter of the model and reports the
// first step that it does not allow or whose outcome it does not know, or a final
// state that is not goal.
func Plan(m *strips.Model, start, goal strips.State, plan []strips.ActionID) error {
	r, err := begin(m, start, goal)
	if err != nil {
		return err
	}
	for i, a := range plan {
		if outcomes := r.nondeterministic(a); len(outcomes) > 0 {
			return fmt.Errorf("plan: step %d: the outcome of %s is nondeterministic there", i+1, name(m, a))
		}
		if r.untried(a) {
			return fmt.Errorf("plan: step %d: nobody tried %s there", i+1, name(m, a))
		}
		if err := r.step(a); err != nil {
			return fmt.Errorf("plan: step %d: %w", i+1, err)
		}
	}
	return r.ends(goal)
}

// Path replays a plan and the states that it claims to go through, start and goal
// included. A step whose outcome the model calls nondeterministic may lead to each of
// the outcomes, one that nobody tried to what the model predicts; Path returns which
// steps these are, counted from 0.
func Path(m *strips.Model, start, goal strips.State, plan []strips.ActionID,
	states []strips.State,
) (left []int, err error) {
	r, err := begin(m, start, goal)
	if err != nil {
		return nil, err
	}
	if len(states) != len(plan)+1 || states[0] != start {
		return nil, fmt.Errorf("plan: %d actions and %d states, want one more that begin with the start",
			len(plan), len(states))
	}
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
		if err := r.ends(to); err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return left, r.ends(goal)
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

func begin(m *strips.Model, start, goal strips.State) (*replay, error) {
	if start.Len() != m.Predicates || goal.Len() != m.Predicates {
		return nil, fmt.Errorf("plan: start has %d predicates and goal %d, want %d", start.Len(),
			goal.Len(), m.Predicates)
	}
	return &replay{m, start.Bools(), make([]bool, m.Predicates)}, nil
}

func (r *replay) ends(goal strips.State) error {
	for p, holds := range r.x {
		if want := goal.Get(strips.Predicate(p)); holds != want {
			return fmt.Errorf("plan: ends with predicate %d %t, want %t", p, holds, want)
		}
	}
	return nil
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
