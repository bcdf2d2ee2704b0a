package check

import (
	"fmt"

	"stripswm/models/strips"
)

// Plan replays the actions from start by the letter of the model and reports the
// first step that it does not allow or whose outcome it does not know, or a final
// state that is not goal.
func Plan(m *strips.Model, start, goal strips.State, plan []strips.ActionID) error {
	x, err := begin(m, start, goal)
	if err != nil {
		return err
	}
	for i, a := range plan {
		if outcomes := chances(m, x, a); len(outcomes) > 0 {
			return fmt.Errorf("plan: step %d: the outcome of %s is left to chance there", i+1, name(m, a))
		}
		if err := step(m, x, a); err != nil {
			return fmt.Errorf("plan: step %d: %w", i+1, err)
		}
	}
	return ends(x, goal)
}

// Path replays a plan and the states that it claims to go through, start and goal
// included. A step whose outcome the model leaves to chance may lead to each of
// the outcomes; Path returns which steps these are, counted from 0.
func Path(m *strips.Model, start, goal strips.State, plan []strips.ActionID, states []strips.State) (left []int, err error) {
	x, err := begin(m, start, goal)
	if err != nil {
		return nil, err
	}
	if len(states) != len(plan)+1 || states[0] != start {
		return nil, fmt.Errorf("plan: %d actions and %d states, want one more that begin with the start", len(plan), len(states))
	}
	for i, a := range plan {
		to := states[i+1]
		if to.Len() != len(x) {
			return nil, fmt.Errorf("plan: the state after step %d has %d predicates, want %d", i+1, to.Len(), len(x))
		}
		if outcomes := chances(m, x, a); len(outcomes) > 0 {
			found := false
			for _, node := range outcomes {
				found = found || isCode(m, node, to.Bools())
			}
			if !found || refused(m, x, a) >= 0 {
				return nil, fmt.Errorf("plan: step %d: %s was not seen to lead to %v, or is known not to apply", i+1, name(m, a), to)
			}
			left = append(left, i)
			copy(x, to.Bools())
		} else if err := step(m, x, a); err != nil {
			return nil, fmt.Errorf("plan: step %d: %w", i+1, err)
		}
		if err := ends(x, to); err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return left, ends(x, goal)
}

func begin(m *strips.Model, start, goal strips.State) ([]bool, error) {
	if start.Len() != m.Predicates || goal.Len() != m.Predicates {
		return nil, fmt.Errorf("plan: start has %d predicates and goal %d, want %d", start.Len(), goal.Len(), m.Predicates)
	}
	return start.Bools(), nil
}

func ends(x []bool, goal strips.State) error {
	for p, holds := range goal.Bools() {
		if x[p] != holds {
			return fmt.Errorf("plan: ends with predicate %d %t, want %t", p, x[p], holds)
		}
	}
	return nil
}

// step brings x to the state after an action: some operator of it must apply, and
// all that do must come to the same.
func step(m *strips.Model, x []bool, a strips.ActionID) error {
	var after []bool
	why := fmt.Errorf("action %d is outside 1..%d", a, actions(m))
	for _, op := range m.Operators {
		if op.Action != a {
			continue
		}
		if p, wanted := unmet(op, x); p >= 0 {
			why = fmt.Errorf("%s forbids predicate %d, which is true", op.Name, p)
			if wanted {
				why = fmt.Errorf("%s requires predicate %d, which is false", op.Name, p)
			}
			continue
		}
		y := make([]bool, len(x))
		for p := range x {
			y[p] = in(p, op.Add) || x[p] && !in(p, op.Del)
			if in(p, op.Toggle) {
				y[p] = !x[p]
			}
		}
		for p := range after {
			if after[p] != y[p] {
				return fmt.Errorf("two operators of %s apply and disagree about predicate %d", op.Name, p)
			}
		}
		after = y
	}
	if after == nil {
		return why
	}
	if node := refused(m, x, a); node >= 0 {
		return fmt.Errorf("%s is known not to apply at node %d", name(m, a), node)
	}
	copy(x, after)
	return nil
}

// unmet is the first precondition that x does not meet, and whether it is one that
// should hold; -1 for none.
func unmet(op strips.Operator, x []bool) (p int, wanted bool) {
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

// refused is a node with the code x that is an exception to the action, or -1.
func refused(m *strips.Model, x []bool, a strips.ActionID) strips.StateID {
	for _, e := range m.Exceptions {
		if e.Action == a && !e.Shared && isCode(m, e.Node, x) {
			return e.Node
		}
	}
	return -1
}

// chances are the nodes that the action may lead to, if that is left to chance.
func chances(m *strips.Model, x []bool, a strips.ActionID) (to []strips.StateID) {
	for _, c := range m.Chances {
		if c.Action == a && isCode(m, c.Node, x) {
			for _, o := range c.Outcomes {
				to = append(to, o.Target)
			}
		}
	}
	return to
}

func actions(m *strips.Model) (most strips.ActionID) {
	for _, op := range m.Operators {
		most = max(most, op.Action)
	}
	return most
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
