package eval

import (
	"slices"

	"stripswm/models/bundle"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
	"stripswm/nodes/sim/record"
)

// simulated is a world of our own, whose camera takes as many images as are
// asked for.
type simulated struct {
	graph *sim.Graph
	asked []sim.State // of the queries
	// unrecorded is the number of states that the recording does not have, as far as that is known.
	unrecorded int
	options    Options
}

// simulate is the world that the recording of a bundle explored. Where all of a world was open and
// the recording has not all its states, others are asked for alone.
func simulate(w sim.World, recorded *bundle.Simulation, o Options) (*simulated, error) {
	graph, err := sim.Explored(w, o.Explored)
	if err != nil {
		return nil, err
	}
	never, err := Unrecorded(w, recorded)
	if err != nil {
		return nil, err
	}
	s := &simulated{graph: graph, asked: graph.States(), unrecorded: len(never), options: o}
	if len(never) > 1 {
		s.asked = never
	}
	return s, nil
}

// Unrecorded are the states that a recording of all of a simulated world does not have, in
// ascending order; nil where a rig was recorded, or a part of the world.
func Unrecorded(w sim.World, recorded *bundle.Simulation) ([]sim.State, error) {
	if recorded == nil || !recorded.Whole || recorded.Policy == "" {
		return nil, nil
	}
	steps, err := sim.RunPolicyWithFaults(w, sim.Policy(recorded.Policy), recorded.Seed,
		recorded.Transitions, sim.Faults{Resets: recorded.Resets, Failures: recorded.Failures})
	if err != nil {
		return nil, err
	}
	seen := map[sim.State]bool{}
	for s := range steps {
		seen[s.State], seen[s.Next] = true, true
	}
	return slices.DeleteFunc(sim.GroundTruth(w).States(), func(s sim.State) bool { return seen[s] }),
		nil
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
	return w.graph.Queries(w.options.Seed, perHorizon, w.asked)
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
