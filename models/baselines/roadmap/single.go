package roadmap

import "math"

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
