package taskgraph

import (
	"slices"

	"stripswm/models/strips"
)

// Merge returns g with each of the groups made one node, which takes the place of
// its first member and the code of its best supported one, with the others' codes
// as aliases, and the new number of every node. Groups must not overlap.
func (g *Graph) Merge(groups [][]strips.StateID) (*Graph, []strips.StateID) {
	into := make([]strips.StateID, len(g.Nodes))
	for s := range into {
		into[s] = strips.StateID(s)
	}
	for _, group := range groups {
		for _, s := range group {
			into[s] = min(group[0], s)
			for _, t := range group {
				into[s] = min(into[s], t)
			}
		}
	}
	out := &Graph{Labels: append([]string(nil), g.Labels...)}
	renumbered := make([]strips.StateID, len(g.Nodes))
	most := []int{}
	for s, n := range g.Nodes {
		if first := into[s]; int(first) < s {
			renumbered[s] = renumbered[first]
			node := &out.Nodes[renumbered[s]]
			node.Support += n.Support
			if n.Support > most[renumbered[s]] {
				node.Code, n.Code, most[renumbered[s]] = n.Code, node.Code, n.Support
			}
			node.Aliases = append(node.Aliases, n.Aliases...)
			if n.Code != "" {
				node.Aliases = append(node.Aliases, n.Code)
			}
			continue
		}
		renumbered[s] = strips.StateID(len(out.Nodes))
		n.Aliases = slices.Clone(n.Aliases)
		out.Nodes = append(out.Nodes, n)
		most = append(most, n.Support)
	}
	for _, e := range g.Edges {
		e.Source, e.Target = renumbered[e.Source], renumbered[e.Target]
		out.Edges = append(out.Edges, e)
	}
	for _, r := range g.Refused {
		r.State = renumbered[r.State]
		out.Refused = append(out.Refused, r)
	}
	for _, n := range out.Nodes {
		slices.Sort(n.Aliases)
	}
	out.canonical()
	return out, renumbered
}
