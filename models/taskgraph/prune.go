package taskgraph

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"stripswm/models/strips"
)

// ErrorShare is the default for the largest share of misread images and of wrong labels that Prune
// reckons with.
const ErrorShare = 0.1

// several is the probability that an action has several outcomes at a node.
const several = 0.05

// labelRounds is how often the estimate of which labels are wrong is repeated.
const labelRounds = 10

// Pruned says what Prune dropped.
type Pruned struct {
	Nodes   []strips.StateID // old numbers, ascending
	Edges   []Edge           // old numbers; those of dropped nodes included
	Refused []Refusal        // old numbers
	// Renumbered[old] is the new number of a node, -1 where it was dropped.
	Renumbered []strips.StateID
}

// Prune returns g without what misread images and mislabelled transitions left in
// it, and a report of what went. Nothing is dropped for being rare, but for having less than the
// share of the evidence:
//   - A node goes if the other images of its static intervals hardly ever show it. Where these
//     have one image, it goes if actions led to it once, and more often elsewhere; and if none
//     did, if its actions once led where they lead more often from other nodes.
//   - An edge goes if the action hardly ever came out so there, if it is likelier another action
//     under a wrong label (wrongLabels), or if the other image of a static interval contradicts
//     it each time. Where intervals have one image, it goes if hardly anything done at its source
//     was this.
//
// Nodes left without edges go, too. Nodes keep their order and are renumbered.
// The intervals may be nil: each has one image then. A share of 0 keeps everything.
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

// suspects weighs what speaks against the nodes and edges of a graph.
type suspects struct {
	*Intervals
	g     *Graph
	share float64
	// by node: static intervals that show it and a node seen alone as often, or more
	misread  []int
	mislabel []bool       // by edge
	usual    map[Pair]int // sightings of the most frequent outcome of a pair
	busiest  []int        // by node: of the edge from it that was seen most
	entered  []bool       // by node: an edge leads there
	chosen   []bool       // by node: a transition out of it supports that
	leaves   map[step]int // of the edge that was seen most with that action and target
	foremost []bool       // by node: an edge from there is supported beside those
}

// step is an action that leads to a node.
type step struct {
	action strips.ActionID
	target strips.StateID
}

func newSuspects(g *Graph, share float64, m *Intervals) *suspects {
	n := len(g.Nodes)
	d := &suspects{Intervals: m, g: g, share: share, mislabel: g.wrongLabels(share),
		misread: make([]int, n), usual: map[Pair]int{}, leaves: map[step]int{},
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
		d.usual[Pair{r.State, r.Action}] = r.Count
	}
	for _, e := range g.Edges {
		d.usual[Pair{e.Source, e.Action}] = max(d.usual[Pair{e.Source, e.Action}],
			e.Support)
		d.leaves[step{e.Action, e.Target}] = max(d.leaves[step{e.Action, e.Target}], e.Support)
		d.busiest[e.Source] = max(d.busiest[e.Source], e.Support)
	}
	for i, e := range g.Edges {
		if d.mislabel[i] {
			continue
		}
		d.entered[e.Target] = true
		if d.supported(e, d.usual[Pair{e.Source, e.Action}]) {
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
	if d.mislabel[i] || support < d.share*float64(d.usual[Pair{e.Source, e.Action}]) {
		return true
	}
	if !d.seenTwice(e.Source) {
		return support < d.share*float64(d.busiest[e.Source])
	}
	return d.Clear[i] == 0
}

// wrongLabels says which edges are likelier transitions of another action between the
// same two nodes that were given a wrong label. How often labels are wrong, and how
// often several actions lead from one node to another, is estimated from the graph
// itself (expectation maximisation with hard decisions). At first, edges that were hardly
// seen beside another count as wrong. Of two that were seen equally often, one may be
// wrong if its action also came out otherwise there, or was refused.
func (g *Graph) wrongLabels(share float64) []bool {
	if len(g.Labels) < 2 {
		return make([]bool, len(g.Edges))
	}
	type ends [2]strips.StateID
	most, sum, tried, all := map[ends]int{}, map[ends]int{}, map[Pair]int{}, 0
	for _, e := range g.Edges {
		most[ends{e.Source, e.Target}] = max(most[ends{e.Source, e.Target}], e.Support)
		sum[ends{e.Source, e.Target}] += e.Support
		tried[Pair{e.Source, e.Action}] += e.Support
		all += e.Support
	}
	for _, r := range g.Refused {
		tried[Pair{r.State, r.Action}] += r.Count
	}
	wrong := make([]bool, len(g.Edges))
	beside := make([]int, len(g.Edges)) // sightings of other actions between the same nodes
	for i, e := range g.Edges {
		wrong[i] = float64(e.Support) < 2*share*float64(most[ends{e.Source, e.Target}])
		beside[i] = sum[ends{e.Source, e.Target}] - e.Support
	}
	for range labelRounds {
		mistakes, parallel, right := 0.5, 0.5, map[ends]bool{}
		for i, e := range g.Edges {
			switch between := (ends{e.Source, e.Target}); {
			case wrong[i]:
				mistakes += float64(e.Support)
			case e.Support == beside[i]: // which of them is wrong, if one is, nobody knows
			case right[between]:
				parallel++
			default:
				right[between] = true
			}
		}
		each := mistakes / float64(all) / float64(len(g.Labels)-1) // rate of one wrong label
		rate := min(0.5, parallel/float64(len(sum)+1))
		for i, e := range g.Edges {
			otherwise := tried[Pair{e.Source, e.Action}] > e.Support
			if wrong[i] = false; e.Support > beside[i] || e.Support == beside[i] && !otherwise {
				continue
			}
			asMistake := distuv.Poisson{Lambda: each * float64(beside[i])}.LogProb(float64(e.Support))
			asEdge := math.Log(rate) - math.Log(float64(e.Support+beside[i]+1))
			if otherwise {
				asEdge += math.Log(several)
			}
			wrong[i] = asMistake > asEdge
		}
	}
	return wrong
}
