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
			if t.Action < 1 || int(t.Action) > e.actions {
				return fmt.Errorf("exploration: action %d is not one of 1 to %d", t.Action, e.actions)
			}
			e.history.observe(int(t.Action)-1, t.Outcome)
		}
	}
	return e.learn()
}

// Order is the order in which two actions probably apply at the end of a segment, one after the
// other. It is false where they do not, or both orders may apply.
func (e *Explorer) Order(segment int, by [2]strips.ActionID) (order [2]strips.ActionID, ok bool) {
	if e.beliefs == nil || by[0] == 0 {
		return by, false
	}
	v := e.values
	if n := len(e.segments[segment]); segment < len(e.segments)-1 && n > 0 {
		v = e.beliefs.in(e.beliefs.result.After[segment][n-1])
	}
	p, q := e.both(v, by), e.both(v, [2]strips.ActionID{by[1], by[0]})
	if q > p {
		p, q, by = q, p, [2]strips.ActionID{by[1], by[0]}
	}
	return by, p > safe*(p+q+rare)
}

// both is the probability that two actions apply one after the other.
func (e *Explorer) both(v values, by [2]strips.ActionID) float64 {
	both := 1.0
	v = slices.Clone(v)
	for _, a := range by {
		skill := &e.beliefs.skills[a-1]
		if skill.operator == nil {
			return 0
		}
		p, _, _ := skill.applies(v)
		both *= p
		v.apply(skill.operator)
	}
	return both
}

// Changed says that the scene was changed as successes of these actions change it.
func (e *Explorer) Changed(by [2]strips.ActionID) {
	for _, a := range by {
		e.history.observe(int(a)-1, traces.Succeeded)
		e.advance(int(a)-1, traces.Succeeded)
	}
	e.plan = nil
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

// Segments is the number of segments so far, the one that goes on included.
func (e *Explorer) Segments() int { return len(e.segments) }

// Explained is the number of refusals that the learned model explains.
func (e *Explorer) Explained() (n int) {
	if e.beliefs == nil {
		return 0
	}
	for _, a := range e.beliefs.result.Report.Actions {
		for _, f := range a.Refusals {
			if f.Violated != nil {
				n++
			}
		}
	}
	return n
}
