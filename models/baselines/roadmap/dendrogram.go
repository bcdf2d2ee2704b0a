package roadmap

import (
	"cmp"
	"slices"
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
