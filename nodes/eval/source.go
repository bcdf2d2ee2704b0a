package eval

import (
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/nodes/sim"
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
