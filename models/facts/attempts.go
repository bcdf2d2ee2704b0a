package facts

import (
	"cmp"
	"slices"

	"stripswm/models/dataset"
	"stripswm/models/traces"
)

// Recording is the order of a dataset's attempts, and the images of each.
type Recording struct {
	Segments [][]traces.Attempt
	Images   [][][2]int // before and after an attempt, by segment and attempt
}

// Attempts returns the attempts of a dataset in the order of their images. A segment ends where a
// transition does not follow the one before, but for failed attempts. A refused attempt before such
// a transition may belong to either side, and is a segment of its own.
func Attempts(d *dataset.Dataset) Recording {
	var r Recording
	type other struct {
		dataset.Transition
		outcome traces.Outcome
	}
	var others []other
	for _, t := range d.Refused {
		others = append(others, other{t, traces.Refused})
	}
	for _, t := range d.Failed {
		others = append(others, other{t, traces.Failed})
	}
	slices.SortStableFunc(others, func(x, y other) int { return cmp.Compare(x.Before, y.Before) })
	open := false
	add := func(t dataset.Transition, outcome traces.Outcome, begin bool) {
		if begin || !open {
			r.Segments = append(r.Segments, nil)
			r.Images = append(r.Images, nil)
			open = true
		}
		last := len(r.Segments) - 1
		r.Segments[last] = append(r.Segments[last], traces.Attempt{Action: t.Action,
			Outcome: outcome})
		r.Images[last] = append(r.Images[last], [2]int{t.Before, t.After})
	}
	for _, t := range d.Transitions {
		begin := !t.Follows && !t.Resumes && len(r.Segments) > 0
		for len(others) > 0 && others[0].Before < t.After {
			add(others[0].Transition, others[0].outcome, begin)
			others = others[1:]
		}
		add(t, traces.Succeeded, begin)
	}
	for _, o := range others {
		add(o.Transition, o.outcome, false)
	}
	return r
}

// Intervals returns the static interval that each of so many images shows, -1 if none. That after
// an attempt of which the result is unknown shows none.
func (r Recording) Intervals(result *traces.Result, images int) []int {
	shows := make([]int, images)
	for i := range shows {
		shows[i] = -1
	}
	for s, attempts := range r.Segments {
		for i, a := range attempts {
			shows[r.Images[s][i][0]] = result.Before[s][i]
			if a.Outcome != traces.Failed {
				shows[r.Images[s][i][1]] = result.After[s][i]
			}
		}
	}
	return shows
}
