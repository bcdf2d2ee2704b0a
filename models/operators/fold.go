package operators

import (
	"context"
	"fmt"
	"slices"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Folded is a task graph whose over-split nodes were merged. Nodes are numbered as
// in the graph before but for Graph itself.
type Folded struct {
	Graph  *taskgraph.Graph
	Merged []OneState // the nodes that became one, by first node
	Kept   []Apart    // nodes that an action leads to from one node and that stay apart
	// Renumbered[old] is the new number of a node.
	Renumbered []strips.StateID
}

// OneState is nodes that are one state, and what showed it.
type OneState struct {
	Nodes []strips.StateID `json:"nodes"` // ascending
	// Shown are the actions that led from one state to several of the nodes; a
	// source that was merged itself goes by its first node.
	Shown []taskgraph.Branch `json:"shown"`
	// Moments is of how many moments one picture showed one of the nodes and another
	// picture another.
	Moments int `json:"moments"`
}

// Apart is two nodes, or nodes merged before, each by its first, that an action leads
// to from one node but that are not taken for one state.
type Apart struct {
	Nodes [2]strips.StateID  `json:"nodes"`
	Shown []taskgraph.Branch `json:"shown"` // as in OneState
	Why   Reason             `json:"why"`
}

// Reason says why nodes are kept apart.
type Reason string

// The reasons. In the first three cases the source is two states under one code, an
// edge is wrong, or the action has several outcomes in earnest.
const (
	// ReachedApart: other ways lead to one of the nodes only.
	ReachedApart Reason = "other actions lead to one of them only"
	// BehaveApart: the same action comes out differently at them.
	BehaveApart Reason = "the same actions come out differently at them"
	// FollowsApart: other nodes would have to be one state, and are not.
	FollowsApart Reason = "where they lead to is not one state"
	// OneSource: one node's actions alone lead to both, and it may be two states.
	OneSource Reason = "one node alone leads to both, and may be two states itself"
	// Unsure: the evidence does not suffice.
	Unsure Reason = "too little evidence"
)

// Fold repairs an abstraction that split states in several nodes. Two nodes are one
// state only if the recording is evidence of it: actions led from one node to both,
// from several nodes in like proportions, or pictures of one moment show both, and
// nothing contradicts it, also not what follows from it. That no predicate tells nodes
// apart is no evidence.
//
// An action also leads to two nodes where its source is two states under one
// code, where errors put in an edge, and where it has two outcomes in earnest. So the
// odds of one state are weighed against these, as likelihood ratios of all counts:
//   - each way that leads to either node is a sample of one share, which may vary
//     somewhat from way to way, or leads to one of two states but for errors;
//   - where moments have two pictures, these show both nodes as often as one drawn for
//     each would, or but for errors one of them;
//   - what was done at both, refused attempts included, came out alike or not;
//     where an action leads on to different nodes, these are weighed along;
//   - one source, whichever says most, is left out, with the codes that may be of
//     its state: it may always be two states. Outcomes at the nodes themselves are no
//     evidence either, since an action that sometimes has no effect gives such;
//   - how many pairs of the same graph were found to be one state, and how many
//     were refuted, are the odds beforehand. So where single sources are all there is
//     (few counts, states that are entered by one way), it is believed of an
//     encoder that over-splits everywhere else, and of no other.
//
// The clearest are merged first, all others are weighed again on the graph that
// results, until odds of twenty to one are nowhere left.
//
// Moments are of g's pictures, nil where none has two.
//
// Limits: with a count or two on each edge only states that several others lead to
// are folded, which is what there is to know; errors of more than a tenth look like
// outcomes; codes that tell for long which of two ways the world looks (a lamp that is
// on for hours) make the graph fall in two that look like two worlds, and stay
// apart. In doubt nodes stay apart: an action with several outcomes is no lie.
// Time: about a microsecond for each way into and each action at each pair of
// nodes that an action leads to from a third, some ten times over.
func Fold(ctx context.Context, g *taskgraph.Graph, m *taskgraph.Moments) (*Folded, error) {
	if err := g.Validate(); err != nil {
		return nil, fmt.Errorf("fold: %w", err)
	}
	f := &Folded{Renumbered: make([]strips.StateID, g.NumStates())}
	for s := range f.Renumbered {
		f.Renumbered[s] = strips.StateID(s)
	}
	if m == nil {
		m = taskgraph.NewMoments(g)
	}
	now, sure, first := g, 0, m
	for {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("fold: %w", err)
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
func (f *Folded) finish(g *taskgraph.Graph, m *taskgraph.Moments, last *evidence, claims []*claim) {
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
	moments := map[strips.StateID]int{}
	for pair, count := range m.Unlike {
		if n := f.Renumbered[pair[0]]; n == f.Renumbered[pair[1]] {
			moments[n] += count
		}
	}
	var groups [][]strips.StateID
	for n, group := range nodes {
		if len(group) > 1 {
			groups = append(groups, group)
			f.Merged = append(f.Merged, OneState{Nodes: group, Shown: shown[strips.StateID(n)], Moments: moments[strips.StateID(n)]})
		}
	}
	for _, c := range claims {
		apart := Apart{Nodes: [2]strips.StateID{nodes[c.nodes[0]][0], nodes[c.nodes[1]][0]}, Why: c.reason()}
		for _, b := range last.branches(c.nodes) {
			b.Source, b.Targets = nodes[b.Source][0], apart.Nodes[:]
			apart.Shown = append(apart.Shown, b)
		}
		f.Kept = append(f.Kept, apart)
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
		for ; i < len(edges) && edges[i].Source == e.Source && edges[i].Action == e.Action && number[edges[i].Target] == number[e.Target]; i++ {
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
