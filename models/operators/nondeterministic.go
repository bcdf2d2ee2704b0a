package operators

import (
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// withoutNondeterminism is the part of a graph that operators explain, and the pairs that
// they do not: those for which the recording shows several outcomes.
func withoutNondeterminism(g *taskgraph.Graph) (*taskgraph.Graph, []strips.Nondeterminism) {
	var nondeterministic []strips.Nondeterminism
	drop := map[[2]int]bool{}
	for _, b := range g.Nondeterministic() {
		c := strips.Nondeterminism{Node: b.Source, Action: b.Action}
		for i, target := range b.Targets {
			c.Outcomes = append(c.Outcomes, strips.Outcome{Target: target, Count: b.Support[i]})
		}
		nondeterministic = append(nondeterministic, c)
		drop[[2]int{int(b.Source), int(b.Action)}] = true
	}
	if len(nondeterministic) == 0 {
		return g, nil
	}
	h := *g
	h.Edges = nil
	for _, e := range g.Edges {
		if !drop[[2]int{int(e.Source), int(e.Action)}] {
			h.Edges = append(h.Edges, e)
		}
	}
	return &h, nondeterministic
}
