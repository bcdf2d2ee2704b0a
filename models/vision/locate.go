package vision

import (
	"cmp"
	"slices"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Locator finds the nodes of a task graph that pictures show, by their codes, also
// where a code covers several states.
type Locator struct {
	nodes  map[string]strips.StateID
	shows  map[Code][]strips.StateID // by the code of pictures
	splits Splits
}

// NewLocator finds nodes of g, whose codes are as Refine left them.
func NewLocator(g *taskgraph.Graph) *Locator {
	l := &Locator{nodes: g.Codes(), shows: map[Code][]strips.StateID{}, splits: SplitsOf(g)}
	for s, n := range g.Nodes {
		for code := range shownBy(n) {
			l.shows[code] = append(l.shows[code], strips.StateID(s))
		}
	}
	for _, nodes := range l.shows {
		slices.SortStableFunc(nodes, func(a, b strips.StateID) int { return cmp.Compare(g.Nodes[b].Support, g.Nodes[a].Support) })
	}
	return l
}

// Candidates are the nodes that a single picture with this code may show: none
// where no node has it, several where it covers several states, then the node seen
// most often first. Not to be changed.
func (l *Locator) Candidates(c Code) []strips.StateID { return l.shows[c] }

// Nodes finds the node that each image of a recording shows, -1 for none. Where a
// code covers several states, how the robot reached and left it decides; it is -1
// where that does not tell either.
func (l *Locator) Nodes(d *Dataset, codes []Code) []strips.StateID {
	nodes := make([]strips.StateID, len(codes))
	for i, code := range l.splits.apply(d, codes) {
		node, known := l.nodes[string(code)]
		if !known {
			node = -1
		}
		nodes[i] = node
	}
	return nodes
}

// SplitsOf finds the splits that the codes of a task graph were made with (Refine)
// in its edges. Ways that several states of a code have in common tell nothing and
// are left out.
func SplitsOf(g *taskgraph.Graph) Splits {
	const several = -1
	splits := Splits{}
	add := func(code Code, k int, w way) {
		if splits[code] == nil {
			splits[code] = map[way]int{}
		}
		if other, known := splits[code][w]; known && other != k {
			k = several
		}
		splits[code][w] = k
	}
	for _, e := range g.Edges {
		sources, targets := shownBy(g.Nodes[e.Source]), shownBy(g.Nodes[e.Target])
		for source, k := range sources {
			for target, l := range targets {
				if k >= 0 {
					add(source, k, way{1, e.Action, target})
				}
				if l >= 0 {
					add(target, l, way{0, e.Action, source})
				}
			}
		}
	}
	for _, ways := range splits {
		for w, k := range ways {
			if k == several {
				delete(ways, w)
			}
		}
	}
	return splits
}

// shownBy are the codes of the pictures that show a node, with the least number that
// the node has among the states of each; -1 where the code is not split.
func shownBy(n taskgraph.Node) map[Code]int {
	shown := map[Code]int{}
	for _, numbered := range append([]string{n.Code}, n.Aliases...) {
		if numbered == "" {
			continue
		}
		code, k := Code(numbered).shown()
		if other, known := shown[code]; !known || k < other {
			shown[code] = k
		}
	}
	return shown
}
