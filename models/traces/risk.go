package traces

import (
	"slices"

	"stripswm/models/strips"
)

// Risk is a step of a plan, counted from 0, that may be refused: an undecided literal of its action
// does not hold there.
type Risk struct {
	Step int
	Undecided
}

// applying is the report of the variant of an action that applies in a state, or of the first one.
func (r *Result) applying(a strips.ActionID, s strips.State) *ActionReport {
	fails := func(p Precondition) bool { return !p.Literal.Holds(s) }
	for i := range r.Report.Actions {
		x := &r.Report.Actions[i]
		if x.Action == a && x.Successes > 0 && !slices.ContainsFunc(x.Preconditions, fails) {
			return x
		}
	}
	return &r.Report.Actions[a-1]
}

// Risks lists those of a plan with the states that it goes through, one more than actions. Literals
// that no interval of the recording can decide are listed with interval -1 and without evidence.
func (r *Result) Risks(plan []strips.ActionID, states []strips.State) []Risk {
	var risks []Risk
	for i, a := range plan {
		report := r.applying(a, states[i])
		for _, u := range report.Undecided {
			if !u.Literal.Holds(states[i]) {
				risks = append(risks, Risk{i, u})
			}
		}
		for _, l := range report.Unseen {
			if !l.Holds(states[i]) {
				risks = append(risks, Risk{i, Undecided{Literal: l, Interval: -1}})
			}
		}
	}
	return risks
}
