package taskgraph

import "stripswm/models/strips"

// suspects weighs what speaks against the nodes and edges of a graph.
type suspects struct {
	*Intervals
	g     *Graph
	share float64
	// by node: static intervals that show it and a node seen alone as often, or more
	misread  []int
	mislabel []bool              // by edge
	usual    map[stateAction]int // sightings of the most frequent outcome of a stateAction
	busiest  []int               // by node: of the edge from it that was seen most
	entered  []bool              // by node: an edge leads there
	chosen   []bool              // by node: a transition out of it supports that
	leaves   map[step]int        // of the edge that was seen most with that action and target
	foremost []bool              // by node: an edge from there is supported beside these
}

// stateAction is an action at a node, step an action that leads to one.
type (
	stateAction struct {
		source strips.StateID
		action strips.ActionID
	}
	step struct {
		action strips.ActionID
		target strips.StateID
	}
)

func newSuspects(g *Graph, share float64, m *Intervals) *suspects {
	n := len(g.Nodes)
	d := &suspects{Intervals: m, g: g, share: share, mislabel: g.wrongLabels(share),
		misread: make([]int, n), usual: map[stateAction]int{}, leaves: map[step]int{},
		busiest: make([]int, n), entered: make([]bool, n), chosen: make([]bool, n),
		foremost: make([]bool, n)}
	for pair, count := range m.Mixed {
		for i, s := range pair {
			if other := m.Same[pair[1-i]]; other > 0 && other >= m.Same[s] {
				d.misread[s] += count
			}
		}
	}
	for _, r := range g.Refused {
		d.usual[stateAction{r.State, r.Action}] = r.Count
	}
	for _, e := range g.Edges {
		d.usual[stateAction{e.Source, e.Action}] = max(d.usual[stateAction{e.Source, e.Action}],
			e.Support)
		d.leaves[step{e.Action, e.Target}] = max(d.leaves[step{e.Action, e.Target}], e.Support)
		d.busiest[e.Source] = max(d.busiest[e.Source], e.Support)
	}
	for i, e := range g.Edges {
		if d.mislabel[i] {
			continue
		}
		d.entered[e.Target] = true
		if d.supported(e, d.usual[stateAction{e.Source, e.Action}]) {
			d.chosen[e.Target] = true
		}
		if d.supported(e, d.leaves[step{e.Action, e.Target}]) {
			d.foremost[e.Source] = true
		}
	}
	return d
}

// supported says whether an edge was seen as often as any other that it competes with,
// or more than once and not hardly ever.
func (d *suspects) supported(e Edge, most int) bool {
	return e.Support == most || e.Support > 1 && float64(e.Support) >= d.share*float64(most)
}

// seenTwice says whether a node has static intervals with several images.
func (d *suspects) seenTwice(s strips.StateID) bool { return d.Same[s]+d.misread[s] > 0 }

// node says whether a node is what misread images show.
func (d *suspects) node(s strips.StateID) bool {
	switch {
	case d.seenTwice(s):
		return float64(d.Same[s]) < d.share*float64(d.Same[s]+d.misread[s])
	case d.entered[s]:
		return !d.chosen[s]
	}
	return !d.foremost[s]
}

// edge says whether an edge is what misread images or a wrong label show.
func (d *suspects) edge(i int) bool {
	e := d.g.Edges[i]
	support := float64(e.Support)
	if d.mislabel[i] || support < d.share*float64(d.usual[stateAction{e.Source, e.Action}]) {
		return true
	}
	if !d.seenTwice(e.Source) {
		return support < d.share*float64(d.busiest[e.Source])
	}
	return d.Clear[i] == 0
}
