package check

import (
	"fmt"

	"stripswm/models/strips"
)

// Plan replays the actions from start by the letter of the model and reports the
// first step that it does not allow, or a final state that is not goal.
func Plan(m *strips.Model, start, goal strips.State, plan []strips.ActionID) error {
	if start.Len() != m.Predicates || goal.Len() != m.Predicates {
		return fmt.Errorf("plan: start has %d predicates and goal %d, want %d", start.Len(), goal.Len(), m.Predicates)
	}
	x := start.Bools()
	for i, a := range plan {
		if a < 1 || int(a) > len(m.Operators) {
			return fmt.Errorf("plan: step %d: action %d is outside 1..%d", i+1, a, len(m.Operators))
		}
		op := m.Operators[a-1]
		for p, holds := range x {
			if !holds && in(p, op.PrePos) {
				return fmt.Errorf("plan: step %d: %s requires predicate %d, which is false", i+1, op.Name, p)
			}
			if holds && in(p, op.PreNeg) {
				return fmt.Errorf("plan: step %d: %s forbids predicate %d, which is true", i+1, op.Name, p)
			}
		}
		for _, e := range m.Exceptions {
			if e.Action == a && !e.Shared && isCode(m, e.Node, x) {
				return fmt.Errorf("plan: step %d: %s is known not to apply at node %d", i+1, op.Name, e.Node)
			}
		}
		for p := range x {
			x[p] = in(p, op.Add) || x[p] && !in(p, op.Del)
		}
	}
	for p, holds := range goal.Bools() {
		if x[p] != holds {
			return fmt.Errorf("plan: ends with predicate %d %t, want %t", p, x[p], holds)
		}
	}
	return nil
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
