package roadmap

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// Dendrogram is what clusters are merged at which distance, from single points to all in one.
type Dendrogram struct {
	points int
	merges []merge // by height
}

// merge joins the clusters that two points are in.
type merge struct {
	a, b   int
	height float32
}

func newDendrogram(points int, merges []merge) Dendrogram {
	slices.SortStableFunc(merges, func(x, y merge) int { return cmp.Compare(x.height, y.height) })
	return Dendrogram{points, merges}
}

// Cut numbers the clusters whose parts are at most the threshold apart, from 0 in the order of
// their first points, and returns the number of each point's.
func (d Dendrogram) Cut(threshold float32) []int {
	sets := newSets(d.points)
	for _, m := range d.merges {
		if m.height > threshold {
			break
		}
		sets.join(m.a, m.b)
	}
	return sets.labels()
}

// sets are disjoint sets of numbers from 0.
type sets []int

func newSets(n int) sets {
	s := make(sets, n)
	for i := range s {
		s[i] = i
	}
	return s
}

func (s sets) find(i int) int {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

// join unites the sets of two numbers; false where they are one already.
func (s sets) join(a, b int) bool {
	a, b = s.find(a), s.find(b)
	s[max(a, b)] = min(a, b)
	return a != b
}

// labels numbers the sets in the order of their least members.
func (s sets) labels() []int {
	labels, next := make([]int, len(s)), 0
	for i := range s {
		if root := s.find(i); root < i {
			labels[i] = labels[root]
		} else {
			labels[i] = next
			next++
		}
	}
	return labels
}

// Single is single linkage: clusters are as far apart as their nearest points. Its merges are the
// edges of a minimum spanning tree, which Prim's algorithm finds with no more memory than a few
// numbers a point; distances are computed as they are needed, each once.
func Single(p Points) Dendrogram {
	return newDendrogram(p.Len(), spanningTree(p.Len(), func(i, j int) float32 {
		return distance(p.At(i), p.At(j))
	}))
}

// spanningTree is a minimum spanning tree of n points.
func spanningTree(n int, distance func(i, j int) float32) []merge {
	nearest, least := make([]int, n), make([]float32, n)
	for i := range least {
		least[i] = float32(math.Inf(1))
	}
	var edges []merge
	done := make([]bool, n)
	for at := 0; len(edges) < n-1; {
		done[at] = true
		next := -1
		for i := range n {
			if done[i] {
				continue
			}
			if d := distance(at, i); d < least[i] {
				least[i], nearest[i] = d, at
			}
			if next < 0 || least[i] < least[next] {
				next = i
			}
		}
		edges = append(edges, merge{nearest[next], next, least[next]})
		at = next
	}
	return edges
}

// Average is average linkage (UPGMA), which did best in the paper: clusters are as far apart as
// their points are on average. It follows chains of nearest neighbours (Murtagh 1983), which takes
// time in the square of the number of points, and a distance a pair of points in memory: 200 MB
// for 10,000.
func Average(p Points) Dendrogram {
	n := p.Len()
	d := newTriangle(n)
	for i := range n {
		for j := range i {
			d.set(i, j, distance(p.At(i), p.At(j)))
		}
	}
	size := make([]int, n) // of the cluster that point i stands for; 0 where another does
	for i := range size {
		size[i] = 1
	}
	var merges []merge
	var chain []int
	for first := 0; len(merges) < n-1; {
		if len(chain) == 0 {
			for size[first] == 0 {
				first++
			}
			chain = append(chain, first)
		}
		at := chain[len(chain)-1]
		next := -1
		if len(chain) > 1 {
			next = chain[len(chain)-2] // of equals, so that the chain ends
		}
		for i := range n {
			if i != at && size[i] > 0 && (next < 0 || d.at(at, i) < d.at(at, next)) {
				next = i
			}
		}
		if len(chain) < 2 || next != chain[len(chain)-2] {
			chain = append(chain, next)
			continue
		}
		chain = chain[:len(chain)-2]
		a, b := min(at, next), max(at, next)
		merges = append(merges, merge{a, b, d.at(a, b)})
		share := float32(size[b]) / float32(size[a]+size[b])
		for i := range n {
			if i != a && i != b && size[i] > 0 {
				d.set(a, i, (1-share)*d.at(a, i)+share*d.at(b, i))
			}
		}
		size[a], size[b] = size[a]+size[b], 0
	}
	return newDendrogram(n, merges)
}

// triangle is a symmetric matrix without its diagonal.
type triangle struct{ values []float32 }

func newTriangle(n int) triangle { return triangle{make([]float32, n*(n-1)/2)} }

func (t triangle) index(i, j int) int {
	if i < j {
		i, j = j, i
	}
	return i*(i-1)/2 + j
}

func (t triangle) at(i, j int) float32     { return t.values[t.index(i, j)] }
func (t triangle) set(i, j int, v float32) { t.values[t.index(i, j)] = v }

// Optimise cuts a dendrogram where its roadmap has the most edges while it has at most so many
// components (the paper's equation 8 and algorithm 2, where that bound is c_max), and returns the
// clusters and the threshold, the paper's tau. The paper's edges have no direction; ours do, since
// nothing says which action undoes another. What it asks of a component, that its nodes can be
// reached from one another, is strong connection here.
//
// The paper searches for it by Brent's method. It need not: what merging clusters does to the
// roadmap is to contract it, which neither adds an edge nor a component, so the best threshold is
// the least one that the bound allows, and halving finds it among the heights of merges.
func Optimise(d Dendrogram, steps []Step, components int) (labels []int, threshold float32) {
	thresholds := []float32{0}
	for _, m := range d.merges {
		if m.height > thresholds[len(thresholds)-1] {
			thresholds = append(thresholds, m.height)
		}
	}
	best := sort.Search(len(thresholds)-1, func(i int) bool {
		return (&Roadmap{Edges: edgesOf(d.Cut(thresholds[i]), steps)}).Components() <= components
	})
	return d.Cut(thresholds[best]), thresholds[best]
}

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
