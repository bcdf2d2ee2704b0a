package eval

import (
	"testing"

	"stripswm/models/imageplan"
	"stripswm/models/strips"
	"stripswm/nodes/sim"
)

// slippery is a world in which every third skill moves nothing.
type slippery struct {
	*simulated
	skills int
}

func (w *slippery) apply(s sim.State, a strips.ActionID) (sim.State, bool) {
	if w.skills++; w.skills%3 == 0 {
		return s, true
	}
	return w.simulated.apply(s, a)
}

func TestClosedLoop(t *testing.T) {
	w, truth := blocks(t)
	p := open(t, newBundle(t, w, truth, ""))
	from := &slippery{simulated: &simulated{truth, Options{Seed: 1, Size: shotSide, Nuisance: 1}}}
	l, err := newLoop(p, from)
	if err != nil {
		t.Fatal(err)
	}
	recognized := func(s sim.State) imageplan.Recognition {
		for n := uint64(0); ; n++ { // an image in twenty is not
			img, err := from.image(s, n, 1)()
			if err != nil {
				t.Fatal(err)
			}
			r, err := p.Recognize(img)
			if err != nil {
				t.Fatal(err)
			}
			if r.Known() {
				return r
			}
		}
	}
	farthest := truth.Queries(1, 3)[5]
	for _, q := range farthest {
		goal := recognized(q.Goal)
		if ok, err := l.reaches(t.Context(), q.Start, goal, q.Goal); !ok || err != nil {
			t.Errorf("from %s to %s: %t, %v", w.Describe(q.Start), w.Describe(q.Goal), ok, err)
		}
		if ok, err := l.reaches(t.Context(), q.Start, goal, q.Start); ok || err != nil {
			t.Errorf("from %s to another goal than wanted: %t, %v", w.Describe(q.Start), ok, err)
		}
		if ok, err := l.reaches(t.Context(), q.Start, imageplan.Recognition{Refusal: imageplan.Blank},
			q.Goal); ok || err != nil {
			t.Errorf("to a goal that was not recognised: %t, %v", ok, err)
		}
	}
	if l.images == 0 || from.skills <= 2*6*len(farthest) {
		t.Errorf("%d images and %d skills: nothing slipped", l.images, from.skills)
	}
}
