package taskgraph

import "stripswm/models/strips"

// Intervals counts what the two images of static intervals show. Between two attempts nothing
// moves: the image after the one and the image before the other show one state.
type Intervals struct {
	Same []int // by node: static intervals of which both images show it
	// Mixed counts the static intervals of which the images show different nodes, by these two, the
	// lesser first.
	Mixed map[[2]strips.StateID]int
	// Clear counts, by edge, the sightings with no misread static interval at either end.
	Clear []int
}

// NewIntervals is for the intervals of a graph, and has none yet.
func NewIntervals(g *Graph) *Intervals {
	return &Intervals{Same: make([]int, len(g.Nodes)), Mixed: map[[2]strips.StateID]int{},
		Clear: make([]int, len(g.Edges))}
}

// See adds a static interval whose images show these nodes.
func (m *Intervals) See(one, other strips.StateID) {
	if one == other {
		m.Same[one]++
		return
	}
	m.Mixed[both(one, other)]++
}

// both is the key of two nodes in Mixed.
func both(one, other strips.StateID) [2]strips.StateID {
	return [2]strips.StateID{min(one, other), max(one, other)}
}

// Between is how many static intervals have an image of each of two nodes.
func (m *Intervals) Between(one, other strips.StateID) int { return m.Mixed[both(one, other)] }

// Misread says whether an image of a static interval that shows two nodes must be misread: both
// nodes have intervals of their own, and they share but one, or fewer than half of those that two
// codes of one state would share if drawn for each image. Otherwise they may be such codes, or one
// of them is of no state.
func (m *Intervals) Misread(one, other strips.StateID) bool {
	if one == other {
		return false
	}
	alone, mixed := m.Same[one]*m.Same[other], m.Between(one, other)
	return alone > 0 && (mixed == 1 || mixed*mixed < alone)
}

// Of is the static intervals after nodes were merged or dropped: number says which node each
// became, -1 for none. Clear is left out.
func (m *Intervals) Of(g *Graph, number []strips.StateID) *Intervals {
	out := &Intervals{Same: make([]int, len(g.Nodes)), Mixed: map[[2]strips.StateID]int{}}
	for s, n := range m.Same {
		if number[s] >= 0 {
			out.Same[number[s]] += n
		}
	}
	for pair, n := range m.Mixed {
		switch one, other := number[pair[0]], number[pair[1]]; {
		case one < 0 || other < 0:
		case one == other:
			out.Same[one] += n
		default:
			out.Mixed[both(one, other)] += n
		}
	}
	return out
}
