package facts

import (
	"math/rand/v2"
	"slices"
	"testing"

	"stripswm/models/dataset"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/traces"
)

// wrongs are what goes wrong.
type wrongs struct {
	wrong, failing float64
	hand           bool // executes two actions before every fiftieth attempt
	during         bool // or after every twentieth, where it is refused
	blind          bool // images show nothing
}

// watched is what a watch sees of a table where something goes wrong, and what happened.
func watched(w table, attempts int, c wrongs) (seen, truth []Seen, reported []traces.Outcome) {
	watch, rng, at := NewWatch(w.actions()), rand.New(rand.NewPCG(4, 4)), w.initial()
	thumbnail := func() pixels.Thumbnail {
		shown := at
		if c.blind {
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
	move := func() (by [2]strips.ActionID) {
		for from := slices.Clone(at); slices.Equal(from, at); {
			for k := range by {
				by[k] = draw(true)
				w.apply(at, by[k])
			}
		}
		slices.Sort(by[:])
		return by
	}
	for n := range attempts {
		is := Seen{}
		if c.hand && n%50 == 49 {
			is.Changed, is.By = true, move()
		}
		images := [2]pixels.Thumbnail{thumbnail()}
		t := traces.Attempt{Action: draw(rng.IntN(2) == 0), Outcome: traces.Refused}
		is.Outcome = traces.Refused
		if after := slices.Clone(at); w.apply(after, t.Action) {
			t.Outcome = traces.Succeeded
			if rng.Float64() < c.failing {
				t.Outcome = traces.Failed
			}
			if is.Outcome = 0; t.Outcome == traces.Succeeded || rng.IntN(2) == 0 {
				at, is.Outcome = after, traces.Succeeded
			}
		}
		if t.Outcome != traces.Failed && rng.Float64() < c.wrong {
			if t.Outcome == traces.Refused {
				is.Outcome = 0
			}
			t.Outcome = traces.Succeeded + traces.Refused - t.Outcome
		}
		if c.during && n%20 == 19 && t.Outcome == traces.Refused {
			is.During, is.Outcome = move(), 0
		}
		images[1] = thumbnail()
		watch.Add(t, false, &images)
		truth, reported = append(truth, is), append(reported, t.Outcome)
	}
	return watch.seen, truth, reported
}

// What happened is seen where something else was reported, and only there.
func TestWatch(t *testing.T) {
	for _, c := range []struct {
		name string
		wrongs
	}{
		{"nothing is wrong", wrongs{}},
		{"somebody moves objects", wrongs{hand: true}},
		{"somebody moves objects while skills are refused", wrongs{during: true}},
		{"wrong statuses", wrongs{wrong: 0.03}},
		{"failing skills", wrongs{failing: 0.1}},
		{"all", wrongs{wrong: 0.03, failing: 0.1, hand: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			seen, truth, reported := watched(table{3, 4}, 700, c.wrongs)
			wrong, corrected, hands := 0, 0, 0
			for n, is := range truth {
				got := seen[n]
				slices.Sort(got.By[:])
				slices.Sort(got.During[:])
				if got != is {
					wrong++
					t.Logf("%d %+v was %+v", n, got, is)
				} else if is.By != is.During {
					hands++
				} else if is.Outcome != reported[n] {
					corrected++
				}
			}
			if wrong > 3 {
				t.Errorf("%d attempts are seen wrongly", wrong)
			}
			if (c.wrong+c.failing > 0) != (corrected > 0) || (c.hand || c.during) != (hands > 10) {
				t.Errorf("%d outcomes corrected, %d changes explained", corrected, hands)
			}
		})
	}
}

// A failed attempt that changed the scene did what its skill does, also where the skill has not
// succeeded yet, so that nothing shows its effect.
func TestWatchUnknownEffects(t *testing.T) {
	seen, truth, reported := watched(table{4, 6}, 120, wrongs{failing: 0.3})
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
	seen, _, reported := watched(table{3, 4}, 300, wrongs{failing: 0.1, hand: true, blind: true})
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

// A change that looks like two actions is a part of the segment, any other ends it.
func TestHappened(t *testing.T) {
	at := func(a strips.ActionID, o traces.Outcome) traces.Attempt {
		return traces.Attempt{Action: a, Outcome: o}
	}
	byHand := traces.Attempt{Action: 7, Outcome: 1, With: 8}
	w := Watch{reported: Recording{
		Segments: [][]traces.Attempt{{at(1, 1), at(2, 1), at(3, 2), at(4, 3), at(5, 2)}},
		Images:   [][][2]int{{{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}}},
	}, seen: []Seen{{Outcome: 1}, {Outcome: 0},
		{Changed: true, By: [2]strips.ActionID{7, 8}, Outcome: 2},
		{Changed: true, Outcome: 3}, {Outcome: 2}}}
	r := w.Happened()
	if len(r.Segments) != 3 || r.Images[1][0] != [2]int{6, 7} || r.Images[2][0] != [2]int{8, 9} ||
		!slices.Equal(r.Segments[0], []traces.Attempt{at(1, 1), byHand, at(3, 2)}) ||
		!slices.Equal(r.Images[0], [][2]int{{0, 1}, {-1, -1}, {4, 5}}) ||
		!slices.Equal(r.Segments[1], []traces.Attempt{at(4, 3)}) ||
		!slices.Equal(r.Segments[2], []traces.Attempt{at(5, 2)}) {
		t.Errorf("%+v", r)
	}
}

// TestFailedInPart: a failed attempt did what its skill does where each part of the effect shows,
// and only that. Of an object that fell off the table, or beside its place, the hand is empty as
// after a success.
func TestFailedInPart(t *testing.T) {
	w := table{objects: 3, places: 4}
	d, _ := film(t, w, 600, 1)
	rng := rand.New(rand.NewPCG(1, 7))
	place := strips.ActionID(1 + w.objects*w.places) // object 0 at place 0
	for _, c := range []struct {
		name          string
		before, after []int
		want          Kind
	}{
		{"nothing", []int{-1, 1, 2}, []int{-1, 1, 2}, FailedStill},
		{"all", []int{-1, 1, 2}, []int{0, 1, 2}, FailedMoved},
		{"all, with others elsewhere", []int{-1, 3, 1}, []int{0, 3, 1}, FailedMoved},
		{"fell off", []int{-1, 1, 2}, []int{gone, 1, 2}, ""},
		{"stands elsewhere", []int{-1, 1, 2}, []int{3, 1, 2}, ""},
		{"another one fell", []int{-1, 1, 2}, []int{0, 1, gone}, ""},
	} {
		var images [2]int
		for k, at := range [][]int{c.before, c.after} {
			var err error
			if images[k], err = d.AddImage(paint(at, rng)); err != nil {
				t.Fatal(err)
			}
		}
		d.Failed = []dataset.Transition{{Before: images[0], After: images[1], Action: place}}
		var got Kind
		for _, f := range Attempts(d).Contradictions(thumbnails(d)) {
			if f.Images == images {
				got = f.Kind
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
