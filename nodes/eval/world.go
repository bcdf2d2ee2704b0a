package eval

import (
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
	"stripswm/nodes/sim/record"
)

// simulated is a world of our own, whose camera takes as many images as are
// asked for.
type simulated struct {
	graph   *sim.Graph
	options Options
}

func (w *simulated) truth() *sim.Graph { return w.graph }

func (w *simulated) apply(s sim.State, a strips.ActionID) (sim.State, bool) {
	return w.graph.World().Apply(s, a)
}

func (w *simulated) knows(sim.State, strips.ActionID) bool { return true }

// strengths: the first is as trained, the others are held out.
func (w *simulated) strengths() []float64 { return []float64{1, 1.5, 2, 3} }

func (w *simulated) fresh(k int) [][]photo {
	states := w.graph.States()
	list := make([][]photo, len(states))
	for i, state := range states {
		for j := range w.options.Images {
			// Queries take the seeds from 0 on.
			seed := 1<<32 + uint64((k*len(states)+i)*w.options.Images+j)
			list[i] = append(list[i], w.image(state, seed, w.strengths()[k]))
		}
	}
	return list
}

func (w *simulated) recorded() [][]photo { return nil }

func (w *simulated) queries(perHorizon int) [][]sim.Query {
	return w.graph.Queries(w.options.Seed, perHorizon)
}

func (w *simulated) unconnected(int) []sim.Query { return nil }

func (w *simulated) photograph(s sim.State, scene, n uint64) photo {
	return w.again(s, 1<<33+scene, 1<<33+n, 1)
}

func (w *simulated) pair(n int, q sim.Query) order {
	return order{w.image(q.Start, 2*uint64(n), 1), w.image(q.Goal, 2*uint64(n)+1, 1)}
}

// image is the evaluation's image of that number, at a strength of the nuisance
// times the recording's.
func (w *simulated) image(s sim.State, number uint64, strength float64) photo {
	return w.again(s, number, number, strength)
}

// again is an image of a scene that may have been photographed before.
func (w *simulated) again(s sim.State, scene, number uint64, strength float64) photo {
	return func() (pixels.RGB, error) {
		cam := camera.New(w.options.Size, w.options.Size)
		cam.Strength = strength * w.options.Nuisance
		img, err := cam.RenderAgain(w.graph.World(), s, record.EvaluationSeed(w.options.Seed, scene),
			record.EvaluationSeed(w.options.Seed, number))
		if err != nil {
			return pixels.RGB{}, err
		}
		return pixels.FromImage(img), nil
	}
}
