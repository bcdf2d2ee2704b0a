package roadmap

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"

	"stripswm/models/internal/paths"
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

// Nearest is the node whose centre is nearest to a latent vector, however far it is; -1 in an
// empty roadmap.
func (r *Roadmap) Nearest(latent []float32) int {
	best, least := -1, float32(0)
	for i, n := range r.Nodes {
		if d := distance(n.Centre, latent); best < 0 || d < least {
			best, least = i, d
		}
	}
	return best
}

// Path is a shortest path of edges between two nodes; of several the edges that were seen most
// often come first.
func (r *Roadmap) Path(from, to int) (path []Edge, found bool) {
	if min(from, to) < 0 {
		return nil, false
	}
	return paths.Shortest(from, to, func(at int, reach func(Edge, int)) {
		for i := r.first(at); i < len(r.Edges) && r.Edges[i].From == at; i++ {
			reach(r.Edges[i], r.Edges[i].To)
		}
	})
}

// first is the index of a node's first edge.
func (r *Roadmap) first(node int) int {
	i, _ := slices.BinarySearchFunc(r.Edges, node, func(e Edge, node int) int { return e.From - node })
	return i
}

// Plan is the actions of a shortest path between the nodes that are nearest to two latent vectors;
// false where there is none.
func (r *Roadmap) Plan(start, goal []float32) (plan []strips.ActionID, found bool) {
	path, found := r.Path(r.Nearest(start), r.Nearest(goal))
	for _, e := range path {
		plan = append(plan, e.Action)
	}
	return plan, found
}

// ErrFile is returned, wrapped, for a roadmap file that makes no sense.
var ErrFile = errors.New("bad roadmap file")

// Read reads a roadmap that was written as JSON.
func Read(in io.Reader) (*Roadmap, error) {
	d := json.NewDecoder(in)
	d.DisallowUnknownFields()
	var r Roadmap
	if err := d.Decode(&r); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFile, err)
	}
	if r.Dims < 1 || len(r.Nodes) == 0 {
		return nil, fmt.Errorf("%w: %d nodes of %d dimensions", ErrFile, len(r.Nodes), r.Dims)
	}
	for i, n := range r.Nodes {
		if len(n.Centre) != r.Dims {
			return nil, fmt.Errorf("%w: node %d has %d numbers, want %d", ErrFile, i, len(n.Centre), r.Dims)
		}
	}
	for i, e := range r.Edges {
		if min(e.From, e.To) < 0 || max(e.From, e.To) >= len(r.Nodes) || e.Action < 1 {
			return nil, fmt.Errorf("%w: edge %d is from node %d to %d by action %d: there are %d nodes",
				ErrFile, i, e.From, e.To, e.Action, len(r.Nodes))
		}
		if i > 0 && e.From < r.Edges[i-1].From {
			return nil, fmt.Errorf("%w: edge %d is out of order", ErrFile, i)
		}
	}
	return &r, nil
}
