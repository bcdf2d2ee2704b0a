package facts

import (
	"slices"

	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/traces"
)

// Watch compares the images of attempts while they are made. From time to time it learns from all
// attempts so far what changes look like, as [Recording.Contradictions] does.
type Watch struct {
	actions  int
	reported Recording // what the robot says
	contrast contrast
	seen     []Seen      // by attempt
	now      *comparison // nil where images do not tell changes from none
	next     int         // attempts to learn again at
}

// Seen is what happened at an attempt by its images, and by what was reported.
type Seen struct {
	Changed bool // the scene was changed since the attempt before
	// By are two actions that change images so together; 0 where images do not tell.
	By      [2]strips.ActionID
	During  [2]strips.ActionID // likewise, at an attempt that was refused
	Outcome traces.Outcome     // 0: nothing moved, though the skill may apply
}

// growth is when to learn again: after a fifth more attempts. So the cost of all learning is at
// most six times that of the last.
const growth = 5

// seenMostly is the share of reported successes that show a change, at least. It is less than
// mostRight: a skill that is seldom possible is refused often, and so the share of its successes
// that were refusals is larger than that of wrong outcomes.
const seenMostly = 0.5

// NewWatch returns the watch of a robot with so many actions.
func NewWatch(actions int) *Watch {
	return &Watch{actions: actions, next: 2 * pairsPerMode}
}

// Add adds an attempt with the outcome that was reported, and the images before and after it, nil
// where there are none. It returns what happened, and whether what happened at earlier attempts is
// seen otherwise now: then [Watch.Happened] differs. Where images do not tell, what was reported
// happened. Changed says that the scene was changed, as somebody said.
func (w *Watch) Add(t traces.Attempt, changed bool, images *[2]pixels.Thumbnail) (Seen, bool) {
	if changed || len(w.seen) == 0 {
		w.reported.Segments = append(w.reported.Segments, nil)
		w.reported.Images = append(w.reported.Images, nil)
	}
	at := [2]int{-1, -1}
	if n := len(w.contrast.thumbs); images != nil {
		at = [2]int{n, n + 1}
		w.contrast.thumbs = append(w.contrast.thumbs, images[:]...)
	}
	s := len(w.reported.Segments) - 1
	w.reported.Segments[s] = append(w.reported.Segments[s], t)
	w.reported.Images[s] = append(w.reported.Images[s], at)
	if len(w.seen)+1 >= w.next {
		before := w.seen
		w.learn()
		n := len(w.seen)
		w.next = n + max(2*pairsPerMode, n/growth)
		return w.seen[n-1], !slices.Equal(before, w.seen[:n-1])
	}
	n := len(w.reported.Segments[s])
	last := Recording{Segments: [][]traces.Attempt{w.reported.Segments[s][max(0, n-2):]},
		Images: [][][2]int{w.reported.Images[s][max(0, n-2):]}}
	sights := w.look(last)
	seen := sights[len(sights)-1]
	seen.Changed = seen.Changed || changed && len(w.seen) > 0
	w.seen = append(w.seen, seen)
	return seen, false
}

// learn learns what changes look like, and sees all attempts again.
func (w *Watch) learn() {
	still, moved, failed := w.reported.pairs(w.contrast.thumbs)
	w.now = compare(&w.contrast, &still, &moved, w.actions, seenMostly)
	w.seen = w.sights(w.reported, still, moved, failed)
}

// look sees attempts that nothing was learned from.
func (w *Watch) look(r Recording) []Seen {
	still, moved, failed := r.pairs(nil)
	if w.now != nil {
		w.now.effects.look(&still, false)
		w.now.effects.look(&moved, false)
	}
	return w.sights(r, still, moved, failed)
}

// sights says what scored pairs show.
func (w *Watch) sights(r Recording, still, moved, failed sights) (all []Seen) {
	for s, attempts := range r.Segments {
		for i, a := range attempts {
			all = append(all, Seen{Changed: i == 0 && s > 0, Outcome: a.Outcome})
		}
	}
	if w.now == nil {
		return all
	}
	for k, c := range still.all {
		shows := w.now.change(&still, k)
		at := &all[c.Attempt]
		switch own := still.looks[k] == c.Action && w.now.visible[c.Action]; {
		case c.Kind == MovedBefore:
			if at.Changed = shows; shows {
				at.By = w.now.effects.pair(c, w.now.limit)
			}
		case shows && own:
			at.Outcome = traces.Succeeded
		case shows:
			if at.Outcome = traces.Failed; w.now.usual[c.Action] && w.now.effects.n[c.Action-1] > 0 {
				at.During = w.now.effects.pair(c, w.now.limit)
			}
			if at.During[0] > 0 {
				at.Outcome = 0
			}
		}
	}
	for k, c := range moved.all {
		if w.now.visible[c.Action] && w.now.nothing(&moved, k) {
			all[c.Attempt].Outcome = 0
		}
	}
	w.now.effects.look(&failed, false)
	for k, c := range failed.all {
		all[c.Attempt].Outcome = w.now.happened(&failed, k)
	}
	return all
}

// Retract has the last attempt be one that failed, without images.
func (w *Watch) Retract() {
	n := len(w.seen)
	if n == 0 {
		return
	}
	w.seen[n-1].Outcome = traces.Failed
	s := len(w.reported.Segments) - 1
	last := len(w.reported.Segments[s]) - 1
	w.reported.Segments[s][last].Outcome = traces.Failed
	w.reported.Images[s][last] = [2]int{-1, -1}
}

// Happened has the attempts that had an outcome, by what happened at them, and their images: two
// for each attempt with images, or -1. A change that looks like two actions is one attempt of both,
// without images. A segment ends at other changes, and at a failed attempt.
func (w *Watch) Happened() (r Recording) {
	n, ends := 0, true
	for s, attempts := range w.reported.Segments {
		for i, t := range attempts {
			if ends || w.seen[n].Changed && w.seen[n].By[0] == 0 {
				r.Segments, r.Images = append(r.Segments, nil), append(r.Images, nil)
			}
			add := func(t traces.Attempt, images [2]int) {
				last := len(r.Segments) - 1
				r.Segments[last] = append(r.Segments[last], t)
				r.Images[last] = append(r.Images[last], images)
			}
			hand := func(by [2]strips.ActionID) {
				if by[0] > 0 {
					add(traces.Attempt{Action: by[0], Outcome: traces.Succeeded, With: by[1]}, [2]int{-1, -1})
				}
			}
			hand(w.seen[n].By)
			if t.Outcome = w.seen[n].Outcome; t.Outcome > 0 {
				add(t, w.reported.Images[s][i])
			}
			hand(w.seen[n].During)
			ends = t.Outcome == traces.Failed
			n++
		}
	}
	return r
}
