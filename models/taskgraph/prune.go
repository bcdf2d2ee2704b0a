package taskgraph

import "stripswm/models/strips"

// Pruned says what Prune dropped.
type Pruned struct {
	Nodes   []strips.StateID // old numbers, ascending
	Edges   []Edge           // old numbers; those of dropped nodes included
	Refused []Attempt        // old numbers
	// Renumbered[old] is the new number of a node, -1 where it was dropped.
	Renumbered []strips.StateID
}

// Prune returns g without the edges seen fewer than minEdge times, then without
// the nodes seen fewer than minNode times or left without any edge by that, and
// a report of what went. Nodes keep their order and are renumbered. A node that
// had no edge before is kept.
func (g *Graph) Prune(minEdge, minNode int) (*Graph, *Pruned) {
	report := &Pruned{Renumbered: make([]strips.StateID, len(g.Nodes))}
	had := make([]bool, len(g.Nodes))
	has := make([]bool, len(g.Nodes))
	strong := func(s strips.StateID) bool { return g.Nodes[s].Support >= minNode }
	keep := func(e Edge) bool { return e.Support >= minEdge && strong(e.Source) && strong(e.Target) }
	for _, e := range g.Edges {
		had[e.Source], had[e.Target] = true, true
		if keep(e) {
			has[e.Source], has[e.Target] = true, true
		}
	}
	out := &Graph{Labels: append([]string(nil), g.Labels...)}
	for s := range g.Nodes {
		if id := strips.StateID(s); !strong(id) || had[s] && !has[s] {
			report.Nodes = append(report.Nodes, id)
			report.Renumbered[s] = -1
			continue
		}
		report.Renumbered[s] = strips.StateID(len(out.Nodes))
		out.Nodes = append(out.Nodes, g.Nodes[s])
	}
	for _, e := range g.Edges {
		if !keep(e) {
			report.Edges = append(report.Edges, e)
			continue
		}
		e.Source, e.Target = report.Renumbered[e.Source], report.Renumbered[e.Target]
		out.Edges = append(out.Edges, e)
	}
	for _, r := range g.Refused {
		id := report.Renumbered[r.State]
		if id < 0 {
			report.Refused = append(report.Refused, r)
			continue
		}
		r.State = id
		out.Refused = append(out.Refused, r)
	}
	return out, report
}
