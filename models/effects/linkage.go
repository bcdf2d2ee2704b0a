package effects

import (
	"cmp"
	"math"
	"slices"
)

// merge joins the clusters of two items, at a distance.
type merge struct {
	x, y     int
	distance float64
}

// dendrogram has the merges of average linkage of clusters of some sizes, by rising distance
// (nearest-neighbour chains).
func dendrogram(size []int, distance func(i, k int) float64) []merge {
	n := len(size)
	size = slices.Clone(size)
	dist := make([]float32, n*n)
	for i := range n {
		for k := range i {
			d := float32(distance(i, k))
			dist[i*n+k], dist[k*n+i] = d, d
		}
	}
	alive := make([]bool, n)
	for i := range n {
		alive[i] = true
	}
	var merges []merge
	var chain []int
	for len(merges) < n-1 {
		if len(chain) == 0 {
			chain = append(chain, slices.Index(alive, true))
		}
		top, next, least := chain[len(chain)-1], -1, float32(math.Inf(1))
		if len(chain) > 1 {
			next = chain[len(chain)-2]
			least = dist[top*n+next]
		}
		for k := range n {
			if alive[k] && k != top && (next < 0 || dist[top*n+k] < least) {
				next, least = k, dist[top*n+k]
			}
		}
		if len(chain) < 2 || next != chain[len(chain)-2] {
			chain = append(chain, next)
			continue
		}
		chain = chain[:len(chain)-2]
		merges = append(merges, merge{next, top, float64(least)})
		for k := range n {
			if alive[k] && k != top && k != next {
				d := (float32(size[next])*dist[next*n+k] + float32(size[top])*dist[top*n+k]) /
					float32(size[next]+size[top])
				dist[next*n+k], dist[k*n+next] = d, d
			}
		}
		size[next] += size[top]
		alive[top] = false
	}
	slices.SortStableFunc(merges, func(a, b merge) int { return cmp.Compare(a.distance, b.distance) })
	return merges
}

// joined are the clusters of n items after some merges, each ascending, by their first item.
func joined(merges []merge, n int) [][]int {
	parent := make([]int, n)
	for i := range parent {
		parent[i] = i
	}
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for _, m := range merges {
		x, y := root(m.x), root(m.y)
		parent[max(x, y)] = min(x, y)
	}
	var all [][]int
	at := make([]int, n)
	for i := range n {
		r := root(i)
		if r == i {
			at[i] = len(all)
			all = append(all, nil)
		}
		all[at[r]] = append(all[at[r]], i)
	}
	return all
}

// cut are the clusters of n items that are less than a distance apart.
func cut(merges []merge, n int, distance float64) [][]int {
	i, _ := slices.BinarySearchFunc(merges, distance, func(m merge, d float64) int {
		return cmp.Compare(m.distance, d)
	})
	return joined(merges[:i], n)
}
