package variants

import (
	"stripswm/models/internal/bitset"
	"stripswm/models/taskgraph/fixtures"
)

// closedWorld is a graph whose actions must not apply but where they were seen.
func closedWorld(states, actions int, edges ...Edge) *Graph {
	g := &Graph{States: states, Actions: actions, Edges: edges}
	for _, edges := range g.of() {
		missing := bitset.New(states)
		for s := range states {
			missing.Set(s)
		}
		missing.Remove(g.sources(edges))
		g.Missing = append(g.Missing, missing)
	}
	return g
}

func fixture(p fixtures.Fixture) *Graph {
	from := p.Graph()
	var edges []Edge
	for _, e := range from.Edges {
		edges = append(edges, Edge{int(e.Source), int(e.Action) - 1, int(e.Target)})
	}
	return closedWorld(from.NumStates(), from.NumActions(), edges...)
}

// blocks is BlocksWorld with six skills: pick from each of three regions, place on each.
// A state is how many of the three blocks each region has; the hand has what is missing.
func blocks() *Graph {
	state := map[[3]int]int{}
	var stacks [][3]int
	for a := range 4 {
		for b := range 4 {
			for c := range 4 {
				if n := a + b + c; n == 2 || n == 3 {
					state[[3]int{a, b, c}] = len(stacks)
					stacks = append(stacks, [3]int{a, b, c})
				}
			}
		}
	}
	var edges []Edge
	for s, from := range stacks {
		for r := range from {
			pick, place := from, from
			pick[r]--
			place[r]++
			for k, to := range [][3]int{pick, place} {
				if t, ok := state[to]; ok {
					edges = append(edges, Edge{s, 3*k + r, t})
				}
			}
		}
	}
	return closedWorld(len(stacks), 6, edges...)
}
