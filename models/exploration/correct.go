package exploration

import (
	"fmt"
	"slices"

	"stripswm/models/strips"
	"stripswm/models/traces"
)

// Correct replaces the attempts so far by what is known now to have happened at them. A failed
// attempt ends a segment.
func (e *Explorer) Correct(segments [][]traces.Attempt) error {
	e.history, e.expected = newHistory(e.actions), nil
	for s, attempts := range segments {
		if len(e.segments) <= s {
			e.interrupt()
		}
		for _, t := range attempts {
			for _, a := range []strips.ActionID{t.Action, max(t.With, 1)} {
				if a < 1 || int(a) > e.actions {
					return fmt.Errorf("exploration: action %d is not one of 1 to %d", a, e.actions)
				}
			}
			if t.With > 0 {
				e.history.changed([2]strips.ActionID{t.Action, t.With})
			} else {
				e.history.observe(int(t.Action)-1, t.Outcome)
			}
		}
	}
	return e.learn()
}

// Changed says that the scene was changed as successes of two actions change it together.
func (e *Explorer) Changed(by [2]strips.ActionID) {
	e.history.changed(by)
	e.plan = nil
	if e.beliefs == nil {
		return
	}
	v := slices.Clone(e.values)
	for i, a := range by {
		op, other := e.beliefs.skills[a-1].operator, e.beliefs.skills[by[1-i]-1].operator
		if op == nil || other == nil {
			clear(v)
			break
		}
		for _, p := range op.Add {
			if !slices.Contains(other.Del, p) {
				v[p] = 1
			}
		}
		for _, p := range op.Del {
			if !slices.Contains(other.Add, p) {
				v[p] = -1
			}
		}
	}
	e.values, e.state = v, v.key()
}

// Skip adds an attempt at which nothing moved, and that says nothing about the skill. The skill is
// attempted again when another one succeeded, or once when no other is left.
func (e *Explorer) Skip(a strips.ActionID, seconds float64) {
	e.rate.spend(seconds)
	e.tried[a-1] = true
	e.skipped = append(e.skipped, int(a)-1)
	e.plan = nil
}

// Actions is the number of actions of the robot.
func (e *Explorer) Actions() int { return e.actions }
