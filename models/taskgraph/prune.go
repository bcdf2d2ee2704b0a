package taskgraph

import (
	"slices"

	"stripswm/models/strips"
)

// RareShare is the share of the usual support that PruneRare is given where
// nobody chooses another: it holds with a tenth of the labels wrong.
const RareShare = 0.1

// Pruned says what PruneRare dropped.
type Pruned struct {
	Nodes   []strips.StateID // old numbers, ascending
	Edges   []Edge           // old numbers; those of dropped nodes included
	Refused []Attempt        // old numbers
	// Renumbered[old] is the new number of a node, -1 where it was dropped.
	Renumbered []strips.StateID
}

// PruneRare returns g without what misread pictures and mislabelled transitions
// left in it, and a report of what went: nodes and edges with less than a share of
// the support of the median transition's edge, edges with less than that share of
// the support of their source's most frequent edge, edges with less than twice
// that share of the support of the most frequent edge between the same two nodes,
// where every wrong label lies beside the right one, and nodes left without any
// edge by that. Nodes keep their order and are renumbered. A node that had no edge
// before is kept.
func (g *Graph) PruneRare(share float64) (*Graph, *Pruned) {
	typical := float64(g.typicalSupport())
	most := make([]int, len(g.Nodes))
	between := map[[2]strips.StateID]int{} // the most frequent edge's support
	for _, e := range g.Edges {
		most[e.Source] = max(most[e.Source], e.Support)
		ends := [2]strips.StateID{e.Source, e.Target}
		between[ends] = max(between[ends], e.Support)
	}
	report := &Pruned{Renumbered: make([]strips.StateID, len(g.Nodes))}
	had := make([]bool, len(g.Nodes))
	has := make([]bool, len(g.Nodes))
	strong := func(s strips.StateID) bool { return float64(g.Nodes[s].Support) >= share*typical }
	keep := func(e Edge) bool {
		usual := max(typical, float64(most[e.Source]), 2*float64(between[[2]strips.StateID{e.Source, e.Target}]))
		return float64(e.Support) >= share*usual && strong(e.Source) && strong(e.Target)
	}
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

// typicalSupport is the support of the edge of the median transition: wrong
// edges may be many, but few transitions are on them.
func (g *Graph) typicalSupport() int {
	support, left := make([]int, len(g.Edges)), 0
	for i, e := range g.Edges {
		support[i] = e.Support
		left += e.Support
	}
	slices.Sort(support)
	for _, n := range support {
		if left -= 2 * n; left <= 0 {
			return n
		}
	}
	return 0
}
