package taskgraph

import "stripswm/models/strips"

// Moments says what two pictures of one moment show, where a recording has them: a
// transition leaves the scene as the next one finds it.
type Moments struct {
	Alike []int // by node: moments of which both pictures show it
	// Unlike counts the moments of which one picture shows one node and one another,
	// by these two, the lesser first.
	Unlike map[[2]strips.StateID]int
	// Clear counts, by edge, the sightings with no doubtful moment at either end.
	Clear []int
}

// NewMoments is no moment of a graph.
func NewMoments(g *Graph) *Moments {
	return &Moments{Alike: make([]int, len(g.Nodes)), Unlike: map[[2]strips.StateID]int{}, Clear: make([]int, len(g.Edges))}
}

// See adds a moment of which the pictures show these nodes.
func (m *Moments) See(one, other strips.StateID) {
	if one == other {
		m.Alike[one]++
		return
	}
	m.Unlike[both(one, other)]++
}

// both is the key of two nodes in Unlike.
func both(one, other strips.StateID) [2]strips.StateID {
	return [2]strips.StateID{min(one, other), max(one, other)}
}

// Between is how many moments have a picture of each of two nodes.
func (m *Moments) Between(one, other strips.StateID) int { return m.Unlike[both(one, other)] }

// Doubtful says whether a picture of a moment that shows two nodes must be misread: both
// are seen alone, and together but once, or less than half as often as two codes of one
// state would be if drawn for each picture. Else they may be such codes, or one of them
// is of no state.
func (m *Moments) Doubtful(one, other strips.StateID) bool {
	if one == other {
		return false
	}
	alone, mixed := m.Alike[one]*m.Alike[other], m.Between(one, other)
	return alone > 0 && (mixed == 1 || mixed*mixed < alone)
}

// Of is the moments of another graph's nodes: number says which node each became, -1
// for none. Clear is left out.
func (m *Moments) Of(g *Graph, number []strips.StateID) *Moments {
	out := &Moments{Alike: make([]int, len(g.Nodes)), Unlike: map[[2]strips.StateID]int{}}
	for s, n := range m.Alike {
		if number[s] >= 0 {
			out.Alike[number[s]] += n
		}
	}
	for pair, n := range m.Unlike {
		switch one, other := number[pair[0]], number[pair[1]]; {
		case one < 0 || other < 0:
		case one == other:
			out.Alike[one] += n
		default:
			out.Unlike[both(one, other)] += n
		}
	}
	return out
}
