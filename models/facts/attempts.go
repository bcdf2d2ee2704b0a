package facts

import (
	"stripswm/models/dataset"
	"stripswm/models/traces"
)

// Recording is the order of a dataset's attempts, and the images of each.
type Recording struct {
	Segments [][]traces.Attempt
	Images   [][][2]int // before and after an attempt, by segment and attempt
}

// Attempts returns the attempts of a dataset in the order of their images. A segment ends where a
// transition does not follow the one before. A refused attempt before such a transition may belong
// to either side, and is a segment of its own.
func Attempts(d *dataset.Dataset) Recording {
	var r Recording
	var refused []dataset.Transition // since the last success
	next, open := 0, false
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
		refused = refused[:0]
		for next < len(d.Refused) && d.Refused[next].Before < t.After {
			refused = append(refused, d.Refused[next])
			next++
		}
		first := len(r.Segments) == 0
		for _, f := range refused {
			add(f, traces.Refused, !t.Follows && !first)
		}
		add(t, traces.Succeeded, !t.Follows && !first)
	}
	for _, f := range d.Refused[next:] {
		add(f, traces.Refused, false)
	}
	return r
}

// Intervals returns the static interval that each of so many images shows, -1 if none.
func (r Recording) Intervals(result *traces.Result, images int) []int {
	shows := make([]int, images)
	for i := range shows {
		shows[i] = -1
	}
	for s, attempts := range r.Segments {
		for i := range attempts {
			shows[r.Images[s][i][0]], shows[r.Images[s][i][1]] = result.Before[s][i], result.After[s][i]
		}
	}
	return shows
}
