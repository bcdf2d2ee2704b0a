package sim

import (
	"slices"

	"stripswm/models/strips"
)

// Edge is one ground-truth transition.
type Edge struct {
	From   State
	Action strips.ActionID
	To     State
}

// Graph is a ground-truth task graph G*: states of a world and all of the world's transitions
// between them.
type Graph struct {
	world  *World        // nil where the graph was observed
	states []State       // ascending
	index  map[State]int // into states
	out    [][]Edge      // by index, ascending by action
}

// GroundTruth returns the graph of all states, each of which can be reached from the initial one.
func GroundTruth(w *World) *Graph {
	return induced(w, each(len(w.states), func(k int) State { return State(k) }))
}

func transitions(w *World, s State) []Edge {
	var edges []Edge
	for a := strips.ActionID(1); int(a) <= w.NumActions(); a++ {
		if next, ok := w.Apply(s, a); ok {
			edges = append(edges, Edge{s, a, next})
		}
	}
	return edges
}

// Observed returns the graph of states and transitions that were seen in a world that cannot be
// simulated: World returns nil. The transitions are between the states, one at most for a state and
// an action.
func Observed(states []State, edges []Edge) *Graph {
	g := indexed(nil, states)
	for _, e := range edges {
		g.out[g.index[e.From]] = append(g.out[g.index[e.From]], e)
	}
	for _, out := range g.out {
		slices.SortFunc(out, func(a, b Edge) int { return int(a.Action - b.Action) })
	}
	return g
}

// indexed returns a graph without transitions.
func indexed(w *World, states []State) *Graph {
	g := &Graph{world: w, states: slices.Clone(states), index: make(map[State]int, len(states))}
	slices.Sort(g.states)
	for i, s := range g.states {
		g.index[s] = i
	}
	g.out = make([][]Edge, len(g.states))
	return g
}

// induced returns the graph of these states and all transitions between them.
func induced(w *World, states []State) *Graph {
	g := indexed(w, states)
	for i, s := range g.states {
		for _, e := range transitions(w, s) {
			if g.Has(e.To) {
				g.out[i] = append(g.out[i], e)
			}
		}
	}
	return g
}

// World returns the world that the graph is of, nil for one that was Observed.
func (g *Graph) World() *World { return g.world }

// States returns the states, ascending.
func (g *Graph) States() []State { return slices.Clone(g.states) }

// Has tells whether the state is in the graph.
func (g *Graph) Has(s State) bool {
	_, ok := g.index[s]
	return ok
}

// Out returns the transitions from s, ascending by action.
func (g *Graph) Out(s State) []Edge {
	i, ok := g.index[s]
	if !ok {
		return nil
	}
	return slices.Clone(g.out[i])
}

// Next returns where the action leads from s within the graph.
func (g *Graph) Next(s State, a strips.ActionID) (State, bool) {
	i, ok := g.index[s]
	if !ok {
		return s, false
	}
	k, ok := slices.BinarySearchFunc(g.out[i], a, func(e Edge, a strips.ActionID) int {
		return int(e.Action - a)
	})
	if !ok {
		return s, false
	}
	return g.out[i][k].To, true
}

// Edges returns all transitions, ascending by state and action.
func (g *Graph) Edges() []Edge { return slices.Concat(g.out...) }

// Actions returns the actions that occur, ascending.
func (g *Graph) Actions() []strips.ActionID {
	var ids []strips.ActionID
	for _, e := range g.Edges() {
		ids = append(ids, e.Action)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
