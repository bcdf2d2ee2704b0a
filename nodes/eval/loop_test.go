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
	w, truth := blocks()
	p := open(t, newBundle(t, w, truth, ""))
	from := &slippery{simulated: allOf(truth, Options{Seed: 1, Size: shotSide, Nuisance: 1})}
	l := must(newLoop(p, from))
	recognized := func(s sim.State) imageplan.Recognition {
		for n := uint64(0); ; n++ { // an image in twenty is not
			img := must(from.image(s, n, 1)())
			r := must(p.Recognize(img))
			if r.Known() {
				return r
			}
		}
	}
	farthest := truth.Queries(1, 3, truth.States())[5]
	for _, q := range farthest {
		unknown := imageplan.Recognition{Refusal: imageplan.Blank}
		for _, c := range []struct {
			name string
			goal imageplan.Recognition
			to   sim.State
			want Horizon
		}{
			{"the goal", recognized(q.Goal), q.Goal, Horizon{Executed: 1, Reached: 1}},
			{"an image of another state", recognized(q.Goal), q.Start, Horizon{Executed: 1, Mistaken: 1}},
			{"an image that was not recognized", unknown, q.Goal, Horizon{Executed: 1, Reached: 1,
				SetUpAgain: 1}},
		} {
			var h Horizon
			err := l.execute(t.Context(), sim.Query{Start: q.Start, Goal: c.to}, c.goal, &h)
			if h.SetUpAgain == 1 { // an image of the start in twenty
				c.want.SetUpAgain = 1
			}
			if err != nil || h != c.want {
				t.Errorf("%s, from %s to %s: %+v, %v, want %+v", c.name, w.Describe(q.Start),
					w.Describe(q.Goal), h, err, c.want)
			}
		}
	}
	if l.images == 0 || from.skills <= 2*6*len(farthest) {
		t.Errorf("%d images and %d skills: nothing slipped", l.images, from.skills)
	}
}
