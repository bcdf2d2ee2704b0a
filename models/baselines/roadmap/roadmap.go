package roadmap

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"

	"stripswm/models/strips"
)

// Step is an action that led from one point to another.
type Step struct {
	From, To int
	Action   strips.ActionID
}

// Roadmap is a graph of regions of the latent space.
type Roadmap struct {
	Dims  int    `json:"dims"`
	Nodes []Node `json:"nodes"`
	Edges []Edge `json:"edges"` // by From, those seen most often first
}

// Node is a region that is classified as a state.
type Node struct {
	Centre []float32 `json:"centre"` // mean of its points
	Points int       `json:"points"`
}

// Edge says that an action leads from one region to another.
type Edge struct {
	From   int             `json:"from"`
	To     int             `json:"to"`
	Action strips.ActionID `json:"action"` // the one seen most often, the lowest of equals
	Seen   int             `json:"seen"`   // how often it was
	Steps  int             `json:"steps"`  // of any action
}

// Build makes a roadmap of points, the number of each one's cluster, -1 for none, and steps between
// points (the paper's algorithm 1, phases 3 and 4). A cluster that no step leaves or enters for
// another is left out.
func Build(p Points, labels []int, steps []Step) *Roadmap {
	edges := edgesOf(labels, steps)
	number := map[int]int{} // of the nodes, by cluster
	for _, label := range labels {
		if _, known := number[label]; !known &&
			slices.ContainsFunc(edges, func(e Edge) bool { return e.From == label || e.To == label }) {
			number[label] = len(number)
		}
	}
	r := &Roadmap{Dims: p.Dims, Nodes: make([]Node, len(number)), Edges: edges}
	sums := make([][]float64, len(number))
	for i, label := range labels {
		k, is := number[label]
		if !is {
			continue
		}
		if sums[k] == nil {
			sums[k] = make([]float64, p.Dims)
		}
		for j, v := range p.At(i) {
			sums[k][j] += float64(v)
		}
		r.Nodes[k].Points++
	}
	for k, sum := range sums {
		for _, v := range sum {
			r.Nodes[k].Centre = append(r.Nodes[k].Centre, float32(v/float64(r.Nodes[k].Points)))
		}
	}
	for i := range r.Edges {
		e := &r.Edges[i]
		e.From, e.To = number[e.From], number[e.To]
	}
	slices.SortStableFunc(r.Edges, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(b.Steps, a.Steps), cmp.Compare(a.To, b.To))
	})
	return r
}

// edgesOf are the edges between different clusters.
func edgesOf(labels []int, steps []Step) []Edge {
	counts := map[[2]int]map[strips.ActionID]int{}
	var order [][2]int
	for _, s := range steps {
		transition := [2]int{labels[s.From], labels[s.To]}
		if transition[0] == transition[1] || min(transition[0], transition[1]) < 0 {
			continue
		}
		if counts[transition] == nil {
			counts[transition] = map[strips.ActionID]int{}
			order = append(order, transition)
		}
		counts[transition][s.Action]++
	}
	edges := make([]Edge, 0, len(order))
	for _, transition := range order {
		e := Edge{From: transition[0], To: transition[1]}
		for action, n := range counts[transition] {
			e.Steps += n
			if n > e.Seen || n == e.Seen && action < e.Action {
				e.Action, e.Seen = action, n
			}
		}
		edges = append(edges, e)
	}
	return edges
}

// Components is the number of parts of the roadmap in which every node can be reached from every
// other.
func (r *Roadmap) Components() int {
	parts := simple.NewDirectedGraph()
	for _, e := range r.Edges {
		parts.SetEdge(parts.NewEdge(simple.Node(e.From), simple.Node(e.To)))
	}
	return len(topo.TarjanSCC(parts))
}
