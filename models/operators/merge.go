package operators

import (
	"context"
	"fmt"
	"slices"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Merged is a task graph whose over-split nodes were merged. Nodes are numbered as
// in the graph before but for Graph itself.
type Merged struct {
	Graph  *taskgraph.Graph
	Merged []OneState     // the nodes that became one, by first node
	Kept   []DistinctPair // nodes that an action leads to from one node and that stay distinct
	// Renumbered[old] is the new number of a node.
	Renumbered []strips.StateID
}

// OneState is nodes that are one state, and what showed it.
type OneState struct {
	Nodes []strips.StateID `json:"nodes"` // ascending
	// Shown are the actions that led from one state to several of the nodes; a
	// source that was merged itself goes by its first node.
	Shown []taskgraph.Branch `json:"shown"`
	// Intervals is in how many static intervals one image showed one of the nodes and another
	// image another.
	Intervals int `json:"intervals"`
}

// DistinctPair is two nodes, or nodes merged before, each by its first, that an action leads
// to from one node but that are not classified as one state.
type DistinctPair struct {
	Nodes  [2]strips.StateID  `json:"nodes"`
	Shown  []taskgraph.Branch `json:"shown"` // as in OneState
	Reason Reason             `json:"why"`
}

// Reason says why nodes are kept distinct.
type Reason string

// The reasons. In the first three cases the source is two states under one code, an
// edge is wrong, or the action has several outcomes in fact.
const (
	// ReachedDistinct: other transitions lead to one of the nodes only.
	ReachedDistinct Reason = "other actions lead to one of them only"
	// BehaveDistinct: the same action comes out differently at them.
	BehaveDistinct Reason = "the same actions come out differently at them"
	// FollowsDistinct: other nodes would have to be one state, and are not.
	FollowsDistinct Reason = "where they lead to is not one state"
	// OneSource: one node's actions alone lead to both, and it may be two states.
	OneSource Reason = "one node alone leads to both, and may be two states itself"
	// Undecided: the evidence does not suffice.
	Undecided Reason = "too little evidence"
)

// Merge repairs an abstraction that split states in several nodes. Two nodes are one
// state only if the recording is evidence of it: actions led from one node to both,
// from several nodes in like proportions, or images of one static interval show both, and
// nothing contradicts it, also not what follows from it. That no predicate tells nodes
// distinct is no evidence.
//
// An action also leads to two nodes where its source is two states under one
// code, where errors put in an edge, and where it has two outcomes in fact. So the
// odds of one state are weighed against these, as likelihood ratios of all counts:
//   - each transition that leads to either node is a sample of one share, which may vary
//     somewhat from transition to transition, or leads to one of two states but for errors;
//   - where static intervals have two images, these show both nodes as often as one drawn for
//     each would, or but for errors one of them;
//   - what was done at both, refused attempts included, came out alike or not;
//     where an action leads on to different nodes, these are weighed along;
//   - one source, whichever says most, is left out, with the codes that may be of
//     its state: it may always be two states. Outcomes at the nodes themselves are no
//     evidence either, since an action that sometimes has no effect gives such;
//   - how many pairs of the same graph were found to be one state, and how many
//     were refuted, are the odds beforehand. So where single sources are all there is
//     (few counts, states that are entered by one transition), it is believed of an
//     encoder that over-splits everywhere else, and of no other.
//
// The clearest are merged first, all others are weighed again on the graph that
// results, until odds of twenty to one are nowhere left.
//
// Static intervals are of g's images, nil where none has two.
//
// Limits: with a count or two on each edge only states that several others lead to
// are merged, which is what there is to know; errors of more than a tenth look like
// outcomes; codes that tell for long which of two ways the world looks (a lamp that is
// on for hours) make the graph fall in two that look like two worlds, and stay
// distinct. Without evidence nodes stay distinct: an action with several outcomes is no lie.
// Time: about a microsecond for each transition into and each action at each pair of
// nodes that an action leads to from a third, some ten times over.
func Merge(ctx context.Context, g *taskgraph.Graph, m *taskgraph.Intervals) (*Merged, error) {
	if err := g.Validate(); err != nil {
		return nil, fmt.Errorf("merge: %w", err)
	}
	f := &Merged{Renumbered: make([]strips.StateID, g.NumStates())}
	for s := range f.Renumbered {
		f.Renumbered[s] = strips.StateID(s)
	}
	if m == nil {
		m = taskgraph.NewIntervals(g)
	}
	now, sure, first := g, 0, m
	for {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("merge: %w", err)
		}
		v := newEvidence(now, m)
		claims := v.claims()
		believed := believe(claims, sure)
		if len(believed) == 0 {
			f.finish(g, first, v, claims)
			return f, nil
		}
		var pairs [][]strips.StateID
		for _, c := range believed {
			pairs = append(pairs, c.nodes[:])
			if c.weight > likely {
				sure++
			}
		}
		var number []strips.StateID
		now, number = now.Merge(pairs)
		m = m.Of(now, number)
		for s, n := range f.Renumbered {
			f.Renumbered[s] = number[n]
		}
	}
}

// finish says what was merged and what was not, of claims on the last graph.
func (f *Merged) finish(g *taskgraph.Graph, m *taskgraph.Intervals, last *evidence,
	claims []*claim,
) {
	nodes := make([][]strips.StateID, last.g.NumStates())
	for s, n := range f.Renumbered {
		nodes[n] = append(nodes[n], strips.StateID(s))
	}
	shown := map[strips.StateID][]taskgraph.Branch{}
	for _, b := range bySource(g, f.Renumbered) {
		b.Source = nodes[b.Source][0]
		into := f.Renumbered[b.Targets[0]]
		shown[into] = append(shown[into], b)
	}
	intervals := map[strips.StateID]int{}
	for pair, count := range m.Mixed {
		if n := f.Renumbered[pair[0]]; n == f.Renumbered[pair[1]] {
			intervals[n] += count
		}
	}
	var groups [][]strips.StateID
	for n, group := range nodes {
		if len(group) > 1 {
			groups = append(groups, group)
			f.Merged = append(f.Merged, OneState{Nodes: group, Shown: shown[strips.StateID(n)],
				Intervals: intervals[strips.StateID(n)]})
		}
	}
	for _, c := range claims {
		distinct := DistinctPair{Nodes: [2]strips.StateID{nodes[c.nodes[0]][0], nodes[c.nodes[1]][0]},
			Reason: c.reason()}
		for _, b := range last.branches(c.nodes) {
			b.Source, b.Targets = nodes[b.Source][0], distinct.Nodes[:]
			distinct.Shown = append(distinct.Shown, b)
		}
		f.Kept = append(f.Kept, distinct)
	}
	f.Graph, f.Renumbered = g.Merge(groups)
}

// bySource lists the actions that led from one state to several nodes of one,
// with the number of the source's state, in its order and that of actions.
func bySource(g *taskgraph.Graph, number []strips.StateID) []taskgraph.Branch {
	edges := slices.Clone(g.Edges)
	for i := range edges {
		edges[i].Source = number[edges[i].Source]
	}
	slices.SortFunc(edges, func(a, b taskgraph.Edge) int {
		x, y := a, b
		x.Target, y.Target = number[a.Target], number[b.Target]
		if c := taskgraph.CompareEdges(x, y); c != 0 {
			return c
		}
		return int(a.Target) - int(b.Target)
	})
	var out []taskgraph.Branch
	for i := 0; i < len(edges); {
		e := edges[i]
		b := taskgraph.Branch{Source: e.Source, Action: e.Action}
		for ; i < len(edges) && edges[i].Source == e.Source && edges[i].Action == e.Action &&
			number[edges[i].Target] == number[e.Target]; i++ {
			if n := len(b.Targets); n > 0 && b.Targets[n-1] == edges[i].Target {
				b.Support[n-1] += edges[i].Support
				continue
			}
			b.Targets, b.Support = append(b.Targets, edges[i].Target), append(b.Support, edges[i].Support)
		}
		if len(b.Targets) > 1 {
			out = append(out, b)
		}
	}
	return out
}
