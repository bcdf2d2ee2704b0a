package roadmap

import (
	"math"
	"slices"
)

// Density is HDBSCAN (Campello, Moulavi and Sander 2013), which finds clusters of different
// densities without a threshold: the number of each point's cluster, from 0, or -1 for a point
// that is in none. A cluster has at least so many points, 2 or more.
//
// It takes time in the square of the number of points, and little memory.
func Density(p Points, least int) []int {
	n := p.Len()
	labels := slices.Repeat([]int{-1}, n)
	if n < 2*least {
		return labels
	}
	core := coreDistances(p, least)
	tree := newHierarchy(n, spanningTree(n, func(i, j int) float32 {
		return max(distance(p.At(i), p.At(j)), core[i], core[j])
	}))
	for label, c := range chosen(tree.condense(least)) {
		for _, point := range tree.points(c.node) {
			labels[point] = label
		}
	}
	return labels
}

// coreDistances are those from each point to its k-th nearest, itself the first.
func coreDistances(p Points, k int) []float32 {
	core, all := make([]float32, p.Len()), make([]float32, p.Len())
	for i := range core {
		for j := range all {
			all[j] = distance(p.At(i), p.At(j))
		}
		core[i] = smallest(all, k)
	}
	return core
}

// smallest is the k-th smallest of the numbers, from 1.
func smallest(numbers []float32, k int) float32 {
	var heads []float32 // the k smallest so far, sorted
	for _, v := range numbers {
		if len(heads) == k && v >= heads[k-1] {
			continue
		}
		at, _ := slices.BinarySearch(heads, v)
		heads = slices.Insert(heads, at, v)[:min(len(heads)+1, k)]
	}
	return heads[len(heads)-1]
}

// hierarchy is a tree of merges: nodes below leaves are points, the last is the root.
type hierarchy struct {
	leaves int
	parts  [][2]int  // of the nodes from leaves on
	height []float32 // likewise
	size   []int     // of all nodes
}

func newHierarchy(n int, merges []merge) hierarchy {
	d := newDendrogram(n, merges)
	h := hierarchy{leaves: n, size: slices.Repeat([]int{1}, n)}
	top, sets := make([]int, n), newSets(n) // the node of a set, by its root
	for i := range top {
		top[i] = i
	}
	for _, m := range d.merges {
		a, b := top[sets.find(m.a)], top[sets.find(m.b)]
		sets.join(m.a, m.b)
		top[sets.find(m.a)] = len(h.size)
		h.parts, h.height, h.size = append(h.parts, [2]int{a, b}), append(h.height,
			m.height), append(h.size, h.size[a]+h.size[b])
	}
	return h
}

// points are the points below a node.
func (h hierarchy) points(node int) (all []int) {
	for stack := []int{node}; len(stack) > 0; {
		node, stack = stack[len(stack)-1], stack[:len(stack)-1]
		if node < h.leaves {
			all = append(all, node)
			continue
		}
		parts := h.parts[node-h.leaves]
		stack = append(stack, parts[:]...)
	}
	return all
}

// condensed is a cluster of the condensed tree: it loses points as the density grows, until it
// falls apart in two or vanishes.
type condensed struct {
	node      int
	birth     float64 // density: one over the distance
	stability float64 // what its points have beyond its birth, summed
	parent    int     // -1 for the root
	split     bool    // in two
}

// condense returns the clusters of at least so many points, parents first.
func (h hierarchy) condense(least int) []condensed {
	clusters := []condensed{{node: len(h.size) - 1, parent: -1}}
	for c := 0; c < len(clusters); c++ {
		for at := clusters[c].node; at >= h.leaves; {
			density := 1 / math.Max(float64(h.height[at-h.leaves]), 1e-9)
			a, b := h.parts[at-h.leaves][0], h.parts[at-h.leaves][1]
			if h.size[a] < h.size[b] {
				a, b = b, a
			}
			leaves := h.size[b]
			switch {
			case h.size[a] < least:
				leaves += h.size[a]
				at = -1
			case h.size[b] >= least:
				leaves += h.size[a]
				at = -1
				clusters[c].split = true
				clusters = append(clusters, condensed{node: a, birth: density, parent: c},
					condensed{node: b, birth: density, parent: c})
			default:
				at = a
			}
			clusters[c].stability += float64(leaves) * (density - clusters[c].birth)
		}
	}
	return clusters
}

// chosen are the clusters that together are most stable, no two of which share a point; never the
// root.
func chosen(clusters []condensed) []condensed {
	best := make([]float64, len(clusters)) // of the cluster, or of what is below it
	below := make([]float64, len(clusters))
	take := make([]bool, len(clusters))
	for i := len(clusters) - 1; i > 0; i-- {
		c := clusters[i]
		take[i] = !c.split || c.stability >= below[i]
		if best[i] = below[i]; take[i] {
			best[i] = c.stability
		}
		below[c.parent] += best[i]
	}
	var all []condensed
	for i := 1; i < len(clusters); i++ {
		if up := clusters[i].parent; up > 0 && take[up] {
			take[i] = true // and so is all that is below
			continue
		}
		if take[i] {
			all = append(all, clusters[i])
		}
	}
	return all
}
