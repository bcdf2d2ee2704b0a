package eval

import (
	"context"
	"iter"
	"slices"

	"github.com/sourcegraph/conc/stream"

	"stripswm/models/bundle"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
	"stripswm/nodes/sim/record"
)

// source is where the ground truth of an evaluation and images of its states,
// which the bundle was not learned from, come from: a simulated world or a Folder.
type source interface {
	// truth is the ground-truth graph.
	truth() *sim.Graph
	// apply executes an action in the world, as far as that can be known.
	apply(sim.State, strips.ActionID) (sim.State, bool)
	// knows says whether the truth tells what an action does in a state that it leads nowhere from.
	knows(sim.State, strips.ActionID) bool
	// strengths of the nuisance to take images at, times the recording's; the
	// first is 1.
	strengths() []float64
	// fresh are new images of each state of the graph, at the k-th strength.
	fresh(k int) [][]photo
	// recorded are images of each state that tell which code is the state's; nil
	// where the fresh ones are enough for that.
	recorded() [][]photo
	// queries are drawn, so many at each shortest-path horizon from 1 on.
	queries(perHorizon int) [][]sim.Query
	// unconnected are pairs of states without a path in the graph, so many at most.
	unconnected(most int) []sim.Query
	// photograph is a new image of a state of the world, the n-th of a closed loop; nil where there is
	// no world. Of two images with one number of the scene only the noise differs.
	photograph(s sim.State, scene, n uint64) photo
	// pair is new images of the start and the goal of the n-th query.
	pair(n int, q sim.Query) order
}

// photo takes or reads an image.
type photo func() (pixels.RGB, error)

// order is images to take together.
type order []photo

// shot is the images of an order.
type shot []pixels.RGB

func (o order) take() (shot, error) {
	var taken shot
	for _, take := range o {
		p, err := take()
		if err != nil {
			return nil, err
		}
		taken = append(taken, p)
	}
	return taken, nil
}

// photograph takes the images on several goroutines and shows them in order. It
// ends with the first error, which may be that of see or of ctx.
func photograph(ctx context.Context, orders []order, workers int, see func(shot) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	images := stream.New().WithMaxGoroutines(max(workers, 1))
	for _, job := range orders {
		if ctx.Err() != nil {
			break
		}
		images.Go(func() stream.Callback {
			taken, err := job.take()
			return func() {
				if err == nil && ctx.Err() == nil {
					err = see(taken)
				}
				if err != nil {
					cancel(err)
				}
			}
		})
	}
	images.Wait()
	return context.Cause(ctx)
}

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
func simulate(w *sim.World, recorded *bundle.Simulation, o Options) (*simulated, error) {
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
func Unrecorded(w *sim.World, recorded *bundle.Simulation) ([]sim.State, error) {
	if recorded == nil || !recorded.Whole || recorded.Policy == "" {
		return nil, nil
	}
	steps, err := replayed(w, *recorded)
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

// replayed are the attempts of a recording of a simulated world.
func replayed(w *sim.World, r bundle.Simulation) (iter.Seq[sim.Step], error) {
	return sim.RunPolicy(w, sim.Policy(r.Policy), r.Seed, r.Transitions,
		sim.Faults{Resets: r.Resets, Failures: r.Failures})
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
