package operators

import (
	"cmp"
	"slices"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// evidence is a task graph by what says which nodes are one state.
type evidence struct {
	g         *taskgraph.Graph
	intervals *taskgraph.Intervals
	into      [][]taskgraph.Edge          // by target
	outcomes  []map[strips.ActionID]tally // by node
	// nondeterministic outcome that a node is two states, or an action's outcomes there are several
	outcome float64
	// kin are the nodes that may be of the same state as a node
	kin map[strips.StateID][]strips.StateID
}

func newEvidence(g *taskgraph.Graph, m *taskgraph.Intervals) *evidence {
	v := &evidence{g: g, intervals: m, into: make([][]taskgraph.Edge, g.NumStates()),
		outcomes: make([]map[strips.ActionID]tally, g.NumStates()), outcome: 0.5}
	count := func(s strips.StateID, a strips.ActionID, o strips.StateID, n int) {
		if v.outcomes[s] == nil {
			v.outcomes[s] = map[strips.ActionID]tally{}
		}
		if v.outcomes[s][a] == nil {
			v.outcomes[s][a] = tally{}
		}
		v.outcomes[s][a][o] += n
	}
	for _, e := range g.Edges {
		v.into[e.Target] = append(v.into[e.Target], e)
		count(e.Source, e.Action, e.Target, e.Support)
	}
	for _, r := range g.Refused {
		count(r.State, r.Action, refusal, r.Count)
	}
	return v
}

// arrivalsAt lists the arrivals into two groups of nodes from elsewhere, by source and action,
// without those that are errors of an action that usually leads elsewhere.
func (v *evidence) arrivalsAt(one, two []strips.StateID) []arrival {
	var out []arrival
	for side, group := range [][]strips.StateID{one, two} {
		for _, t := range group {
			for _, e := range v.into[t] {
				if !slices.Contains(one, e.Source) && !slices.Contains(two, e.Source) {
					w := arrival{source: e.Source, action: e.Action, total: v.outcomes[e.Source][e.Action].total()}
					w.counts[side] = e.Support
					out = append(out, w)
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b arrival) int {
		return cmp.Or(cmp.Compare(a.source, b.source), cmp.Compare(a.action, b.action))
	})
	sums := out[:0]
	for _, w := range out {
		if n := len(sums); n > 0 && sums[n-1].source == w.source && sums[n-1].action == w.action {
			sums[n-1].counts[0] += w.counts[0]
			sums[n-1].counts[1] += w.counts[1]
			continue
		}
		sums = append(sums, w)
	}
	return slices.DeleteFunc(sums, func(w arrival) bool {
		return !meant(max(w.counts[0], w.counts[1]),
			w.total)
	})
}

// pooled adds up the outcomes of an action at some nodes.
func (v *evidence) pooled(nodes []strips.StateID, a strips.ActionID) tally {
	out := tally{}
	for _, s := range nodes {
		out.add(v.outcomes[s][a])
	}
	return out
}
