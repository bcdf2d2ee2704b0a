package eval

import (
	"cmp"
	"maps"
	"slices"

	"stripswm/models/strips"
	"stripswm/nodes/sim"
)

// Ground is what a folder's ground truth rests on.
type Ground struct {
	Attempts int `json:"attempts"`
	// A (state, action) pair succeeded, was refused every time, or nobody tried it: a plan
	// that counts on a refused one is wrong, and one that nobody tried cannot be evaluated.
	Edges   int `json:"edges"`
	Refused int `json:"refused"`
	Untried int `json:"untried"`
	// Of those that succeeded, some led to several true states, of which the one seen
	// most often counts, and some were refused at other times.
	Nondeterministic int `json:"nondeterministic"`
	SometimesRefused int `json:"sometimes_refused"`
	// Complete: truth_graph.csv lists every transition, so that every plan can be evaluated.
	Complete bool `json:"complete"`
	// Unrecorded true states are in no attempt; of Without_image ones there is no test image,
	// so no query asks for them, nor for the UnaskedPairs that the graph connects.
	Unrecorded   int `json:"unrecorded"`
	WithoutImage int `json:"without_image"`
	UnaskedPairs int `json:"unasked_pairs"`
	// UnconnectedPairs of states with test images have no path in the graph.
	UnconnectedPairs int `json:"unconnected_pairs"`
}

// attempted is a true state and what was tried in it.
type attempted struct {
	state  sim.State
	action strips.ActionID
}

// tries counts what became of attempts.
type tries struct {
	led     map[attempted]map[sim.State]int
	refused map[attempted]int
	highest strips.ActionID
}

func (t *tries) succeeded(at attempted, to sim.State) {
	if t.led[at] == nil {
		t.led[at] = map[sim.State]int{}
	}
	t.led[at][to]++
	t.highest = max(t.highest, at.action)
}

func (t *tries) refusal(at attempted) {
	t.refused[at]++
	t.highest = max(t.highest, at.action)
}

// tell says whether the attempts tell what the action does in the state.
func (t *tries) tell(at attempted) bool { return t.led[at] != nil || t.refused[at] > 0 }

// graph is what most attempts say, between so many states, and how certain that is.
func (t *tries) graph(states []sim.State, g *Ground) *sim.Graph {
	var edges []sim.Edge
	for at, ends := range t.led {
		// The state seen most often, the first of equals.
		to := slices.MaxFunc(slices.Sorted(maps.Keys(ends)), func(a, b sim.State) int {
			return cmp.Compare(ends[a], ends[b])
		})
		edges = append(edges, sim.Edge{From: at.state, Action: at.action, To: to})
		g.Edges++
		if len(ends) > 1 {
			g.Nondeterministic++
		}
		if t.refused[at] > 0 {
			g.SometimesRefused++
		}
	}
	g.Refused = len(t.refused) - g.SometimesRefused
	g.Untried = len(states)*int(t.highest) - g.Edges - g.Refused
	return sim.Observed(states, edges)
}
