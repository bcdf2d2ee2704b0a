package sim

import (
	"math/rand/v2"
	"slices"

	"stripswm/models/strips"
)

// Distances returns the length of a shortest plan from s to each state that can be reached.
func (g *Graph) Distances(s State) map[State]int {
	dist := map[State]int{}
	order, came := g.search(s)
	for _, to := range order {
		if to != s {
			dist[to] = dist[came[to].From] + 1
		} else {
			dist[s] = 0
		}
	}
	return dist
}

// search is breadth-first: the states that it meets from s on, and how it came to each.
func (g *Graph) search(s State) (order []State, came map[State]Edge) {
	if !g.Has(s) {
		return nil, nil
	}
	order, came = []State{s}, map[State]Edge{s: {}}
	for i := 0; i < len(order); i++ {
		for _, e := range g.out[g.index[order[i]]] {
			if _, seen := came[e.To]; !seen {
				came[e.To] = e
				order = append(order, e.To)
			}
		}
	}
	return order, came
}

// AtDistance returns the states whose shortest plan from s has exactly d actions, ascending.
func (g *Graph) AtDistance(s State, d int) []State {
	var states []State
	for to, n := range g.Distances(s) {
		if n == d {
			states = append(states, to)
		}
	}
	slices.Sort(states)
	return states
}

// Path returns a shortest plan; ok is false where there is none.
func (g *Graph) Path(from, to State) (plan []strips.ActionID, ok bool) {
	_, came := g.search(from)
	_, ok = came[to]
	for s := to; ok && s != from; s = came[s].From {
		plan = append(plan, came[s].Action)
	}
	slices.Reverse(plan)
	return plan, ok
}

// Query asks for a plan from one state to another.
type Query struct{ Start, Goal State }

// Pairs returns all queries by the length of their shortest plan: Pairs()[d] are those at distance
// d.
func (g *Graph) Pairs() [][]Query { return g.pairs(g.states, g.states) }

func (g *Graph) pairs(starts, goals []State) [][]Query {
	var pairs [][]Query
	for _, s := range starts {
		dist := g.Distances(s)
		for _, to := range goals {
			d, ok := dist[to]
			if !ok {
				continue
			}
			for len(pairs) <= d {
				pairs = append(pairs, nil)
			}
			pairs[d] = append(pairs[d], Query{s, to})
		}
	}
	return pairs
}

// maxStarts is how many states queries start from, at most. All pairs of a world with tens of
// thousands of states are too many to keep.
const maxStarts = 1000

// Queries draws n queries between the given states at each distance from 1 on: every pair once
// before any comes twice, and none where there is no pair. Queries()[d-1] are those at distance d.
func (g *Graph) Queries(seed uint64, n int, among []State) [][]Query {
	rng := rand.New(rand.NewPCG(seed, streamDistance))
	starts := among
	if len(starts) > maxStarts {
		starts = slices.Clone(among)
		rng.Shuffle(len(starts), func(i, j int) { starts[i], starts[j] = starts[j], starts[i] })
		starts = starts[:maxStarts]
	}
	var drawn [][]Query
	for d, pairs := range g.pairs(starts, among) {
		if d == 0 {
			continue
		}
		queries := make([]Query, 0, max(n, 0))
		for len(queries) < n && len(pairs) > 0 {
			rng.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
			queries = append(queries, pairs[:min(len(pairs), n-len(queries))]...)
		}
		drawn = append(drawn, queries)
	}
	return drawn
}
