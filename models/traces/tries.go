package traces

import (
	"cmp"
	"slices"

	"stripswm/models/planner"
	"stripswm/models/strips"
)

// Try is an attempt that could make a goal reachable: if the action succeeds where the literal does
// not hold, the literal is no precondition, and what the action sets can be reached without it.
type Try struct {
	Action strips.ActionID
	strips.Literal
	Evidence           // for the precondition
	Changes  bool      // the action changes the predicate: hardly a coincidence
	Interval int       // all other preconditions hold there, the literal does not; -1 for none
	Sets     []Literal // what cannot be reached and the action would set
	Refused  bool      // it was refused there
}

// Tries lists what would have to be tried where a goal cannot be reached: preconditions of the
// actions that would set it, least evidence first. untested are the actions that never succeeded:
// nothing is known of what they set.
func (r *Result) Tries(o planner.Obstacles) (tries []Try, untested []strips.ActionID) {
	type key struct {
		action strips.ActionID
		Literal
	}
	index := map[key]int{}
	for _, l := range o.Literals {
		for _, s := range l.Setters {
			for _, missing := range s.Missing {
				k := key{s.Action, missing}
				i, listed := index[k]
				if !listed {
					i = len(tries)
					index[k] = i
					tries = append(tries, r.try(s.Action, missing))
				}
				tries[i].Sets = append(tries[i].Sets, l.Literal)
			}
		}
	}
	slices.SortStableFunc(tries, func(a, b Try) int {
		if a.Changes != b.Changes {
			if b.Changes {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.Nats, b.Nats)
	})
	for _, a := range r.Report.Actions {
		if a.Successes == 0 && !slices.Contains(untested, a.Action) {
			untested = append(untested, a.Action)
		}
	}
	return tries, untested
}

// try looks up the evidence for a precondition, and an interval that decides.
func (r *Result) try(action strips.ActionID, l Literal) Try {
	t := Try{Action: action, Literal: l, Interval: -1}
	var report *ActionReport // of a variant with this precondition
	for i := range r.Report.Actions {
		for _, p := range r.Report.Actions[i].Preconditions {
			if r.Report.Actions[i].Action == action && p.Literal == l {
				report, t.Evidence, t.Changes = &r.Report.Actions[i], p.Evidence, p.Changes
			}
		}
	}
	if report == nil {
		return t
	}
	refused := map[int]bool{}
	for _, f := range report.Refusals {
		refused[f.Interval] = true
	}
	for i := range r.Report.Intervals {
		decides := r.Value(l.Predicate, i) == ValueOf(l.Negated)
		for _, p := range report.Preconditions {
			if p.Literal != l {
				decides = decides && r.Value(p.Predicate, i) == ValueOf(!p.Negated)
			}
		}
		if decides {
			t.Interval, t.Refused = i, t.Refused || refused[i]
		}
	}
	return t
}

// ValueOf is the value of a predicate that holds, or does not.
func ValueOf(holds bool) Value {
	if holds {
		return True
	}
	return False
}
