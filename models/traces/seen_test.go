package traces_test

import (
	"testing"

	"stripswm/models/strips"
	"stripswm/models/traces"
	"stripswm/models/traces/check"
	"stripswm/models/worlds"
)

// seenMoves are the facts that images show of worlds.Moves: that an object is at a place.
func seenMoves(objects, places int) (seen []traces.Seen) {
	move := func(o, p int) strips.ActionID { return strips.ActionID(1 + o*places + p) }
	for o := range objects {
		for p := range places {
			f := traces.Seen{Set: []strips.ActionID{move(o, p)}}
			for q := range places {
				if q != p {
					f.Clear = append(f.Clear, move(o, q))
				}
			}
			seen = append(seen, f)
		}
	}
	return seen
}

// Skills that set facts whatever they were have preconditions, and are planned with as any other.
func TestSeenFacts(t *testing.T) {
	const objects, places = 4, 6
	w, seen := worlds.Moves(objects, places), seenMoves(objects, places)
	start := strips.NewState(len(seen), 0, places+1, 2*places+2, 3*places+3)
	for seed := range uint64(3) {
		segments := [][]traces.Attempt{w.Record(1500, 1+seed, worlds.Noise{})}
		r, err := traces.Learn(len(w.Operators), segments, traces.Options{Seen: seen})
		if err != nil {
			t.Fatal(err)
		}
		sum, faults := check.Model(segments, r.Model)
		for _, f := range faults {
			t.Error(f)
		}
		if !r.Known(r.Report.Intervals-1) || len(sum.Unexplained) > 0 || sum.Explained < 100 {
			t.Errorf("seed %d: %+v", seed+1, sum)
		}
		s, err := w.Compare(r.Model.Operators, start, 20, seed)
		if err != nil || s.Precision < 0.999 || s.Recall < 0.999 || s.Plans < 1 {
			t.Errorf("seed %d: %+v, %v", seed+1, s, err)
		}
	}
}

// A fact that the attempts show, too, is one fact; and one that no image shows stays beside those
// that are seen.
func TestSeenBesideMined(t *testing.T) {
	w := worlds.Table(3, 4)
	segment := w.Record(1000, 1, worlds.Noise{})
	want := learn(t, w, segment)
	var seen []traces.Seen
	for _, p := range want.Model.Predicates {
		if p.Members == nil {
			seen = append(seen, traces.Seen{Set: p.Del, Clear: p.Add})
		}
	}
	r, err := traces.Learn(len(w.Operators), [][]traces.Attempt{segment}, traces.Options{Seen: seen})
	if err != nil || len(r.Model.Predicates) != len(want.Model.Predicates) {
		t.Errorf("%d predicates, want %d, %v", len(r.Model.Predicates), len(want.Model.Predicates), err)
	}
}
