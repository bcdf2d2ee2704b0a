package taskgraph

import "stripswm/models/strips"

// ErrorShare is the largest share of misread images and of wrong labels that is
// reckoned with where nobody chooses another.
const ErrorShare = 0.1

// Pruned says what Prune dropped.
type Pruned struct {
	Nodes   []strips.StateID // old numbers, ascending
	Edges   []Edge           // old numbers; those of dropped nodes included
	Refused []Refusal        // old numbers
	// Renumbered[old] is the new number of a node, -1 where it was dropped.
	Renumbered []strips.StateID
}

// Prune returns g without what misread images and mislabelled transitions left in
// it, and a report of what went. Nothing is dropped for being rare, but what less than a
// share of the evidence is for:
//   - a node if the other images of its static intervals hardly ever show it or, where
//     static intervals have one image, if actions led to it once and more often elsewhere
//     or, where none did, its actions once led where they more often do from others;
//   - an edge if the action hardly ever came out so there;
//   - an edge if it is likelier another action's under a wrong label (wrongLabels);
//   - an edge if another image of a static interval contradicts it each time or, where
//     static intervals have one image, if hardly anything done at its source was this.
//
// Nodes left without edges go, too. Nodes keep their order and are renumbered.
// Static intervals may be nil: each has one image then. A share of 0 keeps everything.
func (g *Graph) Prune(share float64, m *Intervals) (*Graph, *Pruned) {
	report := &Pruned{Renumbered: make([]strips.StateID, len(g.Nodes))}
	if share == 0 {
		for s := range g.Nodes {
			report.Renumbered[s] = strips.StateID(s)
		}
		return g, report
	}
	if m == nil {
		m = NewIntervals(g)
	}
	suspects := newSuspects(g, share, m)
	keep := make([]bool, len(g.Edges))
	has := make([]bool, len(g.Nodes))
	for i, e := range g.Edges {
		keep[i] = !suspects.node(e.Source) && !suspects.node(e.Target) && !suspects.edge(i)
		if keep[i] {
			has[e.Source], has[e.Target] = true, true
		}
	}
	out := &Graph{Labels: append([]string(nil), g.Labels...)}
	for s := range g.Nodes {
		if !has[s] {
			report.Nodes = append(report.Nodes, strips.StateID(s))
			report.Renumbered[s] = -1
			continue
		}
		report.Renumbered[s] = strips.StateID(len(out.Nodes))
		out.Nodes = append(out.Nodes, g.Nodes[s])
	}
	for i, e := range g.Edges {
		if !keep[i] {
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
