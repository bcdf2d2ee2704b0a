package traces

import "stripswm/models/strips"

// Suspect is an attempt that contradicts the others as it was recorded.
type Suspect struct {
	Segment, Attempt int
	// Changed says that something changed before the attempt that was not recorded.
	Changed bool
	// Action and Outcome are what more likely happened. Where nothing did, the outcome is 0.
	Action  strips.ActionID
	Outcome Outcome
	// Violated are the preconditions of the recorded action that failed before the attempt.
	Violated []Literal
}

// suspects lists the attempts that were read otherwise than they were recorded.
func (r *Result) suspects(segments [][]Attempt, readings [][]reading) {
	r.readings = readings
	for s, segment := range readings {
		for i, is := range segment {
			as := segments[s][i]
			if !is.cut && !is.wrong(as) {
				continue
			}
			suspect := Suspect{Segment: s, Attempt: i, Changed: is.cut, Action: is.Action,
				Outcome: is.Outcome}
			at := r.Before[s][i]
			if is.cut && i > 0 {
				at--
			}
			for _, p := range r.Report.Actions[as.Action-1].Preconditions {
				if r.Value(p.Predicate, at) == valueOf(p.Negated) {
					suspect.Violated = append(suspect.Violated, p.Literal)
				}
			}
			r.Report.Suspects = append(r.Report.Suspects, suspect)
		}
	}
}

// Corrected returns the attempts as they most likely were, in segments between unmarked changes.
// The model agrees with all of them.
func (r *Result) Corrected() (segments [][]Attempt) {
	for _, readings := range r.readings {
		var segment []Attempt
		for _, is := range readings {
			if is.cut {
				segments, segment = append(segments, segment), nil
			}
			if is.Outcome != 0 {
				segment = append(segment, is.Attempt)
			}
		}
		segments = append(segments, segment)
	}
	return segments
}
