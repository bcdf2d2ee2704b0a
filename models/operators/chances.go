package operators

import (
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// withoutChances is the part of a graph that operators explain, and the pairs that
// they do not: those for which the recording shows several outcomes.
func withoutChances(g *taskgraph.Graph) (*taskgraph.Graph, []strips.Chance) {
	var chances []strips.Chance
	drop := map[[2]int]bool{}
	for _, b := range g.Nondeterministic() {
		c := strips.Chance{Node: b.Source, Action: b.Action}
		for i, target := range b.Targets {
			c.Outcomes = append(c.Outcomes, strips.Outcome{Target: target, Count: b.Support[i]})
		}
		chances = append(chances, c)
		drop[[2]int{int(b.Source), int(b.Action)}] = true
	}
	if len(chances) == 0 {
		return g, nil
	}
	h := *g
	h.Edges = nil
	for _, e := range g.Edges {
		if !drop[[2]int{int(e.Source), int(e.Action)}] {
			h.Edges = append(h.Edges, e)
		}
	}
	return &h, chances
}
