package roadmap

import (
	"slices"

	"stripswm/models/strips"
)

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

// Path is a shortest path of edges between two nodes, breadth first; of several the edges that
// were seen most often come first. Memory: an entry a node.
func (r *Roadmap) Path(from, to int) (path []Edge, found bool) {
	if min(from, to) < 0 {
		return nil, false
	}
	came := make([]*Edge, len(r.Nodes))
	for queue := []int{from}; len(queue) > 0 && from != to && came[to] == nil; queue = queue[1:] {
		for i := r.first(queue[0]); i < len(r.Edges) && r.Edges[i].From == queue[0]; i++ {
			if e := &r.Edges[i]; e.To != from && came[e.To] == nil {
				came[e.To] = e
				queue = append(queue, e.To)
			}
		}
	}
	for at := to; at != from; at = came[at].From {
		if came[at] == nil {
			return nil, false
		}
		path = append(path, *came[at])
	}
	slices.Reverse(path)
	return path, true
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
