package identity

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"stripswm/models/dataset"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Locator finds the nodes of a task graph that images show, by their codes, also where states are
// aliased.
type Locator struct {
	shows   map[Code][]strips.StateID // by the code of images
	split   map[Code]bool             // it covers, or covered, several states
	targets map[stateAction][]strips.StateID
	sources map[stateAction][]strips.StateID
}

// stateAction is an action from a node, or one that led to it.
type stateAction struct {
	node   strips.StateID
	action strips.ActionID
}

// NewLocator finds nodes of g, whose codes are as Refine and Split leave them.
func NewLocator(g *taskgraph.Graph) *Locator {
	l := &Locator{
		shows: map[Code][]strips.StateID{}, split: map[Code]bool{},
		targets: map[stateAction][]strips.StateID{}, sources: map[stateAction][]strips.StateID{},
	}
	for s, n := range g.Nodes {
		for code, k := range shownBy(n) {
			l.shows[code] = append(l.shows[code], strips.StateID(s))
			l.split[code] = l.split[code] || k >= 0
		}
	}
	for _, nodes := range l.shows {
		slices.SortStableFunc(nodes, func(a, b strips.StateID) int {
			return cmp.Compare(g.Nodes[b].Support, g.Nodes[a].Support)
		})
	}
	for _, e := range g.Edges {
		out, in := stateAction{e.Source, e.Action}, stateAction{e.Target, e.Action}
		l.targets[out] = append(l.targets[out], e.Target)
		l.sources[in] = append(l.sources[in], e.Source)
	}
	return l
}

// Candidates are the nodes that a single image with this code may show: none where no node has it,
// several where it covers aliased states, then the node seen most often first. Not to be changed.
func (l *Locator) Candidates(c Code) []strips.StateID { return l.shows[c] }

// Nodes finds the node that each image of a recording shows, -1 for none. Where states are aliased,
// the transitions before and after decide, however many it takes; -1 where they do not.
func (l *Locator) Nodes(d *dataset.Dataset, codes []Code) []strips.StateID {
	nodes := make([]strips.StateID, len(codes))
	for i, code := range codes {
		nodes[i] = -1
		if shown := l.shows[code]; len(shown) == 1 && !l.split[code] {
			nodes[i] = shown[0]
		}
	}
	type ends struct{ before, after []strips.StateID }
	reached := make([]ends, len(d.Transitions))
	var now []strips.StateID // what came before allows
	for i, t := range d.Transitions {
		if !t.Follows {
			now = nil
		}
		before := l.among(codes[t.Before], now)
		after := l.among(codes[t.After], l.follow(l.targets, codes[t.Before], before, t.Action))
		reached[i], now = ends{before, after}, after
	}
	now = nil // and what comes after
	for i, t := range slices.Backward(d.Transitions) {
		after := l.among(codes[t.After], now)
		before := l.among(codes[t.Before], l.follow(l.sources, codes[t.After], after, t.Action))
		settle(&nodes[t.After], reached[i].after, after)
		settle(&nodes[t.Before], reached[i].before, before)
		if now = before; !t.Follows {
			now = nil
		}
	}
	return nodes
}

// among are the nodes with a code that are among others; none where nothing is known of these, or
// an image was misread.
func (l *Locator) among(code Code, others []strips.StateID) []strips.StateID {
	var both []strips.StateID
	for _, s := range l.shows[code] {
		if slices.Contains(others, s) {
			both = append(both, s)
		}
	}
	return both
}

// follow is where an action leads to, or comes from, at some nodes with a code; at all of them if
// nothing is known.
func (l *Locator) follow(edges map[stateAction][]strips.StateID, code Code,
	nodes []strips.StateID, a strips.ActionID) (to []strips.StateID) {
	if len(nodes) == 0 {
		nodes = l.shows[code]
	}
	for _, s := range nodes {
		to = append(to, edges[stateAction{s, a}]...)
	}
	return to
}

// settle notes the one node that fits what came before and after, if it is not known yet.
func settle(node *strips.StateID, before, after []strips.StateID) {
	both := slices.Concat(before, after)
	if len(before) > 0 && len(after) > 0 {
		both = slices.DeleteFunc(slices.Clone(before), func(s strips.StateID) bool {
			return !slices.Contains(after, s)
		})
	}
	if *node < 0 && len(both) == 1 {
		*node = both[0]
	}
}

// shownBy are the codes of the images that show a node, with the least number that the node has
// among the states of each; -1 where the code is not split.
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

// A Code names what the encoder makes of an image: the quantised latent, one digit a dimension, "0"
// for the lowest level. Codes of a state that was split off have a number, as in "0213.1".
type Code string

// numbered is the code of the k-th state with the code.
func (c Code) numbered(k int) Code { return c + Code("."+strconv.Itoa(k)) }

// shown is the code as images have it, and the number; -1 where there is none.
func (c Code) shown() (Code, int) {
	before, after, _ := strings.Cut(string(c), ".")
	k, err := strconv.Atoi(after)
	if err != nil {
		return c, -1
	}
	return Code(before), k
}

// TaskGraph builds the labelled graph of the data by the code of each image (paper, section 5.1).
// labels[a-1] names action a. A refused attempt at an image without a code is left out.
func TaskGraph(d *dataset.Dataset, codes []Code, labels []string) (*taskgraph.Graph, error) {
	b := taskgraph.NewBuilder(labels)
	for i, t := range d.Transitions {
		if err := b.Observe(string(codes[t.Before]), t.Action, string(codes[t.After])); err != nil {
			return nil, fmt.Errorf("transition %d: %w", i, err)
		}
	}
	for i, t := range d.Refused {
		if codes[t.Before] == "" {
			continue
		}
		if err := b.Refuse(string(codes[t.Before]), t.Action); err != nil {
			return nil, fmt.Errorf("refused attempt %d: %w", i, err)
		}
	}
	return b.Graph(), nil
}
