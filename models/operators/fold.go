package operators

import (
	"context"
	"math"
	"slices"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Folded is a task graph whose over-split nodes were merged.
type Folded struct {
	Graph *taskgraph.Graph
	// Merged are the groups of nodes that became one, Kept the nodes that zero
	// slack forces together but that behave too differently to be one state: a
	// wrong edge or two true states under one code are behind those. Both by
	// the numbers of the graph before.
	Merged, Kept [][]strips.StateID
	// Renumbered[old] is the new number of a node.
	Renumbered []strips.StateID
}

// alikeLevel is the chance below which two nodes that are one state would
// differ as much as they do, for them to be kept apart.
const alikeLevel = 1e-4

// Fold repairs an abstraction that split states in several nodes. Where one
// action was seen to lead from a node to two, and wherever else no predicate
// without slack can tell nodes apart ([Forced]), they share a code in every
// model anyway; what merging them adds is that an action seen at one is no
// longer a trusted missing pair at the other. A wrong edge forces true states
// together too, so the nodes must also behave alike: what was tried at them, and
// what came of it, may well be samples of the same (Fisher's exact test).
// Time: that of Forced; memory: a count for each action of a group's nodes.
func Fold(ctx context.Context, g *taskgraph.Graph) (*Folded, error) {
	groups, err := Forced(ctx, g)
	if err != nil {
		return nil, err
	}
	f := &Folded{}
	behaviour := tallies(g)
	for _, group := range groups {
		slices.SortStableFunc(group, func(a, b strips.StateID) int { return behaviour[b].total() - behaviour[a].total() })
		var alike [][]strips.StateID
		var pooled []tally
		for _, s := range group {
			k := slices.IndexFunc(pooled, func(t tally) bool { return t.alike(behaviour[s]) >= alikeLevel })
			if k < 0 {
				alike, pooled = append(alike, nil), append(pooled, tally{})
				k = len(alike) - 1
			}
			alike[k] = append(alike[k], s)
			pooled[k].add(behaviour[s])
		}
		if len(alike) > 1 {
			f.Kept = append(f.Kept, group)
		}
		for _, nodes := range alike {
			if len(nodes) > 1 {
				slices.Sort(nodes)
				f.Merged = append(f.Merged, nodes)
			}
		}
	}
	f.Graph, f.Renumbered = g.Merge(f.Merged)
	return f, nil
}

// outcome is an action that was carried out or, negative, refused.
type outcome int

// tally counts the outcomes of what was tried at a node.
type tally map[outcome]int

func tallies(g *taskgraph.Graph) []tally {
	out := make([]tally, g.NumStates())
	for s := range out {
		out[s] = tally{}
	}
	for _, e := range g.Edges {
		out[e.Source][outcome(e.Action)] += e.Support
	}
	for _, r := range g.Refused {
		out[r.State][outcome(-r.Action)] += r.Count
	}
	return out
}

func (t tally) total() int {
	n := 0
	for _, count := range t {
		n += count
	}
	return n
}

func (t tally) add(other tally) {
	for o, n := range other {
		t[o] += n
	}
}

// alike is the chance that two samples of one distribution differ as much as
// these in some outcome: Fisher's exact test for each outcome against all others,
// two-sided, with Bonferroni's correction. It holds for any counts, and few there
// often are.
func (t tally) alike(other tally) float64 {
	both := tally{}
	both.add(t)
	both.add(other)
	size, all := t.total(), both.total()
	least := 1.0
	for o, n := range both {
		below, above := 0.0, 0.0
		for k := max(0, size+n-all); k <= min(size, n); k++ {
			p := math.Exp(logChoose(n, k) + logChoose(all-n, size-k) - logChoose(all, size))
			if k <= t[o] {
				below += p
			}
			if k >= t[o] {
				above += p
			}
		}
		least = min(least, 2*below, 2*above)
	}
	return least * float64(max(len(both), 1))
}

// logChoose is the logarithm of the binomial coefficient.
func logChoose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}
