package taskgraph

import "stripswm/models/strips"

// Relabel returns g with other names for its actions. Actions that get the same
// name become one, in the order of their first.
func (g *Graph) Relabel(name func(label string) string) *Graph {
	out := &Graph{Nodes: g.Nodes}
	action := make([]strips.ActionID, len(g.Labels)+1)
	known := map[string]strips.ActionID{}
	for i, label := range g.Labels {
		label = name(label)
		if known[label] == 0 {
			out.Labels = append(out.Labels, label)
			known[label] = strips.ActionID(len(out.Labels))
		}
		action[i+1] = known[label]
	}
	for _, e := range g.Edges {
		e.Action = action[e.Action]
		out.Edges = append(out.Edges, e)
	}
	// Refused by one and carried out by another of the same name is carried out.
	done := map[Refusal]bool{}
	for _, e := range out.Edges {
		done[Refusal{State: e.Source, Action: e.Action}] = true
	}
	for _, r := range g.Refused {
		r.Action = action[r.Action]
		if !done[Refusal{State: r.State, Action: r.Action}] {
			out.Refused = append(out.Refused, r)
		}
	}
	out.canonical()
	return out
}
