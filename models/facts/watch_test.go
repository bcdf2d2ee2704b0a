package facts

import (
	"math/rand/v2"
	"slices"
	"testing"

	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/traces"
)

// watched is what a watch sees of a table where something goes wrong, and what happened. A hand
// executes two actions before every fiftieth attempt.
func watched(w table, attempts int, wrong, failing float64, hand, blind bool) (seen, truth []Seen,
	reported []traces.Outcome,
) {
	watch, rng, at := NewWatch(w.actions()), rand.New(rand.NewPCG(4, 4)), w.initial()
	thumbnail := func() pixels.Thumbnail {
		shown := at
		if blind {
			shown = w.initial()
		}
		return pixels.NewThumbnail(paint(shown, rng), imageSize)
	}
	draw := func(applies bool) strips.ActionID {
		for {
			a := strips.ActionID(1 + rng.IntN(w.actions()))
			if w.apply(slices.Clone(at), a) == applies {
				return a
			}
		}
	}
	for n := range attempts {
		is := Seen{}
		if hand && n%50 == 49 {
			for from := slices.Clone(at); slices.Equal(from, at); {
				for k := range 2 {
					is.By[k] = draw(true)
					w.apply(at, is.By[k])
				}
			}
			is.Changed = true
			slices.Sort(is.By[:])
		}
		images := [2]pixels.Thumbnail{thumbnail()}
		t := traces.Attempt{Action: draw(rng.IntN(2) == 0), Outcome: traces.Refused}
		is.Outcome = traces.Refused
		if after := slices.Clone(at); w.apply(after, t.Action) {
			t.Outcome = traces.Succeeded
			if rng.Float64() < failing {
				t.Outcome = traces.Failed
			}
			if is.Outcome = 0; t.Outcome == traces.Succeeded || rng.IntN(2) == 0 {
				at, is.Outcome = after, traces.Succeeded
			}
		}
		if t.Outcome != traces.Failed && rng.Float64() < wrong {
			if t.Outcome == traces.Refused {
				is.Outcome = 0
			}
			t.Outcome = traces.Succeeded + traces.Refused - t.Outcome
		}
		images[1] = thumbnail()
		watch.Add(t, false, &images)
		truth, reported = append(truth, is), append(reported, t.Outcome)
	}
	return watch.All(), truth, reported
}

// What happened is seen where something else was reported, and only there.
func TestWatch(t *testing.T) {
	for _, c := range []struct {
		name           string
		wrong, failing float64
		hand           bool
	}{
		{"nothing is wrong", 0, 0, false},
		{"somebody moves objects", 0, 0, true},
		{"wrong statuses", 0.03, 0, false},
		{"failing skills", 0, 0.1, false},
		{"all", 0.03, 0.1, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			seen, truth, reported := watched(table{3, 4}, 700, c.wrong, c.failing, c.hand, false)
			wrong, corrected, hands := 0, 0, 0
			for n, is := range truth {
				got := seen[n]
				slices.Sort(got.By[:])
				if got != is {
					wrong++
				} else if is.Outcome != reported[n] {
					corrected++
				} else if is.Changed {
					hands++
				}
			}
			if wrong > 3 {
				t.Errorf("%d attempts are seen wrongly", wrong)
			}
			if (c.wrong+c.failing > 0) != (corrected > 0) || c.hand != (hands > 10) {
				t.Errorf("%d outcomes corrected, %d changes explained", corrected, hands)
			}
		})
	}
}

// A failed attempt that changed the scene did what its skill does, also where the skill has not
// succeeded yet, so that nothing shows its effect.
func TestWatchUnknownEffects(t *testing.T) {
	seen, truth, reported := watched(table{4, 6}, 120, 0, 0.3, false, false)
	succeeded := map[traces.Outcome]int{}
	for n, is := range truth {
		if seen[n].Outcome != is.Outcome {
			t.Errorf("attempt %d: %+v, was %+v", n, seen[n], is)
		}
		if is.Outcome == traces.Succeeded {
			succeeded[reported[n]]++
		}
	}
	if succeeded[traces.Failed] < 5 {
		t.Errorf("successes by what was reported: %v", succeeded)
	}
}

// Where images show nothing, or there are none, what is reported happened.
func TestWatchWithoutImages(t *testing.T) {
	seen, _, reported := watched(table{3, 4}, 300, 0, 0.1, true, true)
	for n, s := range seen {
		if (s != Seen{Outcome: reported[n]}) {
			t.Fatalf("attempt %d: %+v, reported %d", n, s, reported[n])
		}
	}
	w := NewWatch(2)
	for n := range 100 {
		s, again := w.Add(traces.Attempt{Action: 1, Outcome: traces.Failed}, n == 50, nil)
		if again || s != (Seen{Changed: n == 50, Outcome: traces.Failed}) {
			t.Fatalf("attempt %d: %+v, %v", n, s, again)
		}
	}
}

// A change of which the order of actions is known is a part of the segment, any other ends it.
func TestHappened(t *testing.T) {
	at := func(a strips.ActionID, o traces.Outcome) traces.Attempt {
		return traces.Attempt{Action: a, Outcome: o}
	}
	w := Watch{reported: Recording{
		Segments: [][]traces.Attempt{{at(1, 1), at(2, 1), at(3, 2), at(4, 3), at(5, 2)}},
		Images:   [][][2]int{{{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}}},
	}, seen: []Seen{{Outcome: 1}, {Outcome: 0}, {Changed: true, Outcome: 2},
		{Changed: true, Outcome: 3}, {Outcome: 2}}}
	r, begins := w.Happened(map[int][2]strips.ActionID{2: {7, 8}})
	if !slices.Equal(begins, []int{0, 3, 4}) || len(r.Segments) != 3 ||
		!slices.Equal(r.Segments[0], []traces.Attempt{at(1, 1), at(7, 1), at(8, 1), at(3, 2)}) ||
		!slices.Equal(r.Images[0], [][2]int{{0, 1}, {-1, -1}, {-1, -1}, {4, 5}}) ||
		!slices.Equal(r.Segments[1], []traces.Attempt{at(4, 3)}) ||
		!slices.Equal(r.Segments[2], []traces.Attempt{at(5, 2)}) {
		t.Errorf("%+v, %v", r, begins)
	}
}
