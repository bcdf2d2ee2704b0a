package images_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"stripswm/models/exploration"
	"stripswm/models/exploration/images"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/traces"
	"stripswm/models/worlds"
)

// scene is a world before a camera: each fact that holds is a square of its own.
type scene struct {
	*worlds.World
	at  worlds.State
	rng *rand.Rand
}

func (s *scene) thumbnail() *pixels.Thumbnail {
	const side, squares = 32, 8
	t, light := make(pixels.Thumbnail, 3*side*side), 0.9+0.2*s.rng.Float32()
	for i := range t {
		x, y := i/3%side, i/3/side
		fact := y/(side/squares)*squares + x/(side/squares)
		t[i] = light * (1 + float32(s.at[0]>>fact&1) + 0.1*s.rng.Float32())
	}
	return &t
}

// try attempts a skill, and says whether it applied.
func (s *scene) try(a int) bool {
	applies := s.Operators[a].Applies(s.at)
	if applies {
		s.at = s.Operators[a].Apply(s.at)
	}
	return applies
}

// explore makes attempts, and returns the expected share of plans that lead to the goal. A hand
// executes two skills before each attempt of which the number is a multiple.
func explore(t *testing.T, seen bool, wrong, failing float64, hand int) float64 {
	t.Helper()
	w := worlds.Blocks()
	s := scene{w, w.Start, rand.New(rand.NewPCG(1, 2))}
	e, err := exploration.New(len(w.Operators), exploration.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	x := images.New(e)
	for n := range 700 {
		if hand > 0 && n%hand == hand-1 {
			for moved := 0; moved < 2; {
				if s.try(s.rng.IntN(len(w.Operators))) {
					moved++
				}
			}
		}
		c, err := x.Next()
		if errors.Is(err, exploration.ErrStuck) {
			s.at = w.Start
			if err = x.Reset(); err == nil {
				c, err = x.Next()
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		shown := &[2]pixels.Thumbnail{*s.thumbnail()}
		a, seconds := traces.Attempt{Action: c.Action, Outcome: traces.Refused}, 2.0
		if before := s.at; s.try(int(c.Action) - 1) {
			a.Outcome, seconds = traces.Succeeded, 20
			if s.rng.Float64() < failing {
				if a.Outcome = traces.Failed; s.rng.IntN(2) == 0 {
					s.at = before
				}
			}
		}
		if a.Outcome != traces.Failed && s.rng.Float64() < wrong {
			a.Outcome = traces.Succeeded + traces.Refused - a.Outcome
		}
		if shown[1] = *s.thumbnail(); !seen {
			shown = nil
		}
		if err := x.Observe(a, seconds, shown); err != nil {
			t.Fatal(err)
		}
	}
	expects, err := x.Expect(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return expects.Success
}

// With images, an explorer learns three blocks where statuses are wrong, skills fail or somebody
// moves blocks. Without images it does not where statuses are wrong or blocks are moved.
func TestLearnsWhereSomethingIsWrong(t *testing.T) {
	for _, c := range []struct {
		name           string
		wrong, failing float64
		hand           int
	}{
		{"nothing", 0, 0, 0}, {"wrong statuses", 0.03, 0, 0}, {"failing skills", 0, 0.1, 0},
		{"somebody moves blocks", 0, 0, 50},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if x := explore(t, true, c.wrong, c.failing, c.hand); x < 0.9 {
				t.Errorf("with images %.2f is expected", x)
			}
			if x := explore(t, false, c.wrong, c.failing, c.hand); (x < 0.5) !=
				(c.wrong > 0 || c.hand > 0) && c.failing == 0 {
				t.Errorf("without images %.2f is expected", x)
			}
		})
	}
}

// What is marked failed later ends a segment, whatever was shown.
func TestRetract(t *testing.T) {
	e, err := exploration.New(2, exploration.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x := images.New(e)
	if err := x.Retract(); err != nil { // nothing was attempted
		t.Fatal(err)
	}
	observe := func(a strips.ActionID) {
		if err := x.Observe(traces.Attempt{Action: a, Outcome: traces.Succeeded}, 20, nil); err != nil {
			t.Fatal(err)
		}
	}
	observe(1)
	observe(2)
	if err := x.Retract(); err != nil {
		t.Fatal(err)
	}
	observe(1)
	r := x.Happened()
	if len(r.Segments) != 2 || len(r.Segments[0]) != 2 || r.Segments[0][1].Outcome != traces.Failed ||
		r.Segments[0][0].Outcome != traces.Succeeded || len(r.Segments[1]) != 1 {
		t.Errorf("%+v", r)
	}
}
