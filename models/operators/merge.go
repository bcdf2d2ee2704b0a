package operators

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
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

// Merge repairs an abstraction that splits states in several nodes. It merges two nodes only if the
// recording is evidence that they are one state: actions led from one node to both, from several
// nodes in like proportions, or images of one static interval show both. And nothing may contradict
// it, nor what follows from it. That no predicate tells nodes apart is no evidence.
//
// An action also leads to two nodes if its source is two states under one code, if an edge is
// wrong, and if the action has several outcomes. So Merge weighs one state against these causes,
// as a likelihood ratio of all counts:
//   - Of one state, the transitions that lead to either node are samples of one share, which may
//     vary somewhat between sources. Of two states, each leads to one of them, but for errors.
//   - Of one state, the two images of a static interval show both nodes as often as independent
//     draws would. Of two states they do so only by errors.
//   - Of one state, the same actions come out alike at both nodes, refused ones included. If an
//     action leads on to different nodes, these are weighed too.
//   - The source that says most is left out, since a source may always be two states. Outcomes at
//     the nodes themselves do not count, since an action that sometimes has no effect gives such.
//   - The odds beforehand are those of the graph: how many pairs were found to be one state, and
//     how many were refuted. So where evidence is of one source only, it suffices for an encoder
//     that splits states everywhere else.
//
// The clearest pairs are merged first. The others are weighed again on the graph that results,
// until no odds reach twenty to one.
//
// The intervals are of g's images; nil if no static interval has two.
//
// Limits: with a count or two on each edge only states that several others lead to are merged. More
// than a tenth of errors look like outcomes. If a code tells for long which of two ways the world
// looks, such as a lamp that is on for hours, the graph looks like two worlds, and nodes stay
// distinct.
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

// bySource lists the actions that led from one state to several nodes of another, by the number of
// the source's state and by action.
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

// claim is the hypothesis that two nodes, which an action led to from a third, are one state.
type claim struct {
	nodes   [2]strips.StateID
	sources []strips.StateID // that actions led from to both, or to both of what follows
	weight  float64          // log odds without the source that says most
	refuted Reason           // empty if nothing contradicts it
	alone   bool             // nothing is left without that source
}

// reason says why a claim is not believed.
func (c *claim) reason() Reason {
	switch {
	case c.refuted != "":
		return c.refuted
	case c.alone:
		return OneSource
	}
	return Undecided
}

// claims weighs every pair of nodes that an action led to from a third.
func (v *evidence) claims() (out []*claim) {
	for _, nodes := range v.pairs() {
		out = append(out, v.weigh(nodes))
	}
	return out
}

// believe chooses the claims to believe, clearest first and no node in two of them. sure is how
// many were believed before.
func believe(claims []*claim, sure int) []*claim {
	refuted := 0
	for _, c := range claims {
		switch {
		case c.refuted != "":
			refuted++
		case c.weight >= surely:
			sure++
		}
	}
	odds := math.Log((float64(sure) + 0.5) / (float64(refuted) + 0.5))
	byWeight := slices.SortedStableFunc(slices.Values(claims), func(a, b *claim) int {
		return cmp.Compare(b.weight, a.weight)
	})
	taken := map[strips.StateID]bool{}
	var out []*claim
	for _, c := range byWeight {
		if c.refuted == "" && c.weight+odds >= surely && !taken[c.nodes[0]] && !taken[c.nodes[1]] {
			out = append(out, c)
			taken[c.nodes[0]], taken[c.nodes[1]] = true, true
		}
	}
	return out
}

// pairs lists the nodes to weigh: those that actions led to, in order of their sources,
// and those that images of one static interval show.
func (v *evidence) pairs() [][2]strips.StateID {
	seen := map[[2]strips.StateID]bool{}
	var out [][2]strips.StateID
	for _, b := range v.g.Nondeterministic() {
		total := v.outcomes[b.Source][b.Action].total()
		for i, t := range b.Targets {
			for j, u := range b.Targets[:i] {
				nodes := [2]strips.StateID{u, t}
				if meant(min(b.Support[i], b.Support[j]), total) && t != b.Source && u != b.Source &&
					!seen[nodes] {
					seen[nodes] = true
					out = append(out, nodes)
				}
			}
		}
	}
	for _, nodes := range slices.SortedFunc(maps.Keys(v.intervals.Mixed),
		func(a, b [2]strips.StateID) int { return slices.Compare(a[:], b[:]) }) {
		first, mixed, second := v.intervalsOf(nodes)
		if !seen[nodes] && meant(mixed, mixed+min(first, second)) {
			out = append(out, nodes)
		}
	}
	return out
}

// weigh weighs a claim with what follows from it: where an action leads on from each of
// the nodes. What follows from that in turn is left to the claims about those nodes.
func (v *evidence) weigh(nodes [2]strips.StateID) *claim {
	c := &claim{nodes: nodes}
	same := merged{}
	var reached []*arrivals
	var done [][2]tally
	for queue := [][2]strips.StateID{nodes}; len(queue) > 0; queue = queue[1:] {
		one, two := same.of(queue[0][0]), same.of(queue[0][1])
		if one[0] == two[0] {
			continue
		}
		a := newArrivals(v.arrivalsAt(one, two))
		reached = append(reached, a)
		for i, s := range a.sources {
			if a.mixed[i] && !slices.Contains(c.sources, s) {
				c.sources = append(c.sources, s)
			}
		}
		if a.weight(nobody) < -surely {
			c.refute(ReachedDistinct, len(reached))
			return c
		}
		same.merge(one, two)
		for action := strips.ActionID(1); int(action) <= v.g.NumActions(); action++ {
			both := [2]tally{v.pooled(one, action), v.pooled(two, action)}
			if len(both[0]) == 0 || len(both[1]) == 0 {
				continue
			}
			x, y := both[0].under(same.first), both[1].under(same.first)
			if p, q := x.usual(), y.usual(); p != q && p != refusal && q != refusal &&
				likeness(x, y) < -likely {
				if len(reached) > 1 {
					continue // what follows from what follows
				}
				queue = append(queue, [2]strips.StateID{p, q})
			}
			done = append(done, both)
		}
	}
	behave := 0.0
	for _, both := range done {
		w := likeness(both[0].under(same.first), both[1].under(same.first))
		if behave += w; w < -surely {
			c.refute(BehaveDistinct, len(reached))
			return c
		}
	}
	behave += oneInterval(v.intervalsOf(nodes))
	c.weight = behave + total(reached, nobody)
	for _, s := range c.sources {
		if w := behave + total(reached, s); w < c.weight {
			c.weight, c.alone = w, len(c.sources) == 1
		}
	}
	if c.weight < -surely {
		why := ReachedDistinct
		if behave < c.weight/2 {
			why = BehaveDistinct
		}
		c.refute(why, len(reached))
	}
	return c
}

// refute notes why, and whether it is what follows that is contradicted.
func (c *claim) refute(why Reason, pairs int) {
	if pairs > 1 {
		why = FollowsDistinct
	}
	c.refuted, c.weight = why, min(c.weight, -surely)
}

// total adds up the weights of the arrivals, without those from one source.
func total(reached []*arrivals, without strips.StateID) float64 {
	sum := 0.0
	for _, a := range reached {
		sum += a.weight(without)
	}
	return sum
}

// merged is what nodes are one state if a claim holds, each group with its least node first.
type merged map[strips.StateID][]strips.StateID

func (j merged) of(s strips.StateID) []strips.StateID {
	if group := j[s]; group != nil {
		return group
	}
	return []strips.StateID{s}
}

func (j merged) first(s strips.StateID) strips.StateID { return j.of(s)[0] }

func (j merged) merge(one, two []strips.StateID) {
	all := slices.Sorted(slices.Values(slices.Concat(one, two)))
	for _, s := range all {
		j[s] = all
	}
}

// branches lists the actions that led to both nodes, not by errors and not from these.
func (v *evidence) branches(nodes [2]strips.StateID) []taskgraph.Branch {
	var out []taskgraph.Branch
	for _, w := range v.arrivalsAt(nodes[:1], nodes[1:]) {
		if w.mixed() {
			out = append(out, taskgraph.Branch{Source: w.source, Action: w.action, Targets: nodes[:],
				Support: w.counts[:]})
		}
	}
	return out
}
