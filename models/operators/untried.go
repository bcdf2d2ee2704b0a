package operators

import (
	"stripswm/models/operators/internal/regions"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// untried lists the pairs that the model allows though the graph neither shows them nor
// counts them as missing, by node and action. A success in a node of the same code
// speaks for all of that code.
func untried(g *taskgraph.Graph, missing []Missing, m *strips.Model) (list []strips.Untried) {
	decided := map[regions.Pair]bool{}
	for _, k := range missing {
		decided[regions.Pair{State: k.State, Action: k.Action}] = true
	}
	seen := map[strips.Refusal]bool{}
	for _, e := range g.Edges {
		code, _ := m.Code(e.Source)
		seen[strips.Refusal{Code: code, Action: e.Action}] = true
	}
	for _, k := range m.States {
		for a := strips.ActionID(1); int(a) <= m.Actions(); a++ {
			if seen[strips.Refusal{Code: k.Code, Action: a}] ||
				decided[regions.Pair{State: k.Node, Action: a}] {
				continue
			}
			if _, applies := m.Predict(k.Code, a); applies {
				list = append(list, strips.Untried{Node: k.Node, Action: a})
			}
		}
	}
	return list
}
