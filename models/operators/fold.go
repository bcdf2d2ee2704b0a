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
	habits := habitsOf(g)
	for _, group := range groups {
		slices.SortStableFunc(group, func(a, b strips.StateID) int { return habits[b].total() - habits[a].total() })
		var alike [][]strips.StateID
		var pooled []habit
		for _, s := range group {
			k := slices.IndexFunc(pooled, func(h habit) bool { return h.alike(habits[s]) >= alikeLevel })
			if k < 0 {
				alike, pooled = append(alike, nil), append(pooled, habit{})
				k = len(alike) - 1
			}
			alike[k] = append(alike[k], s)
			pooled[k].add(habits[s])
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

// try is an action that was carried out or, negative, refused.
type try int

// habit counts what was tried at a node.
type habit map[try]int

func habitsOf(g *taskgraph.Graph) []habit {
	habits := make([]habit, g.NumStates())
	for s := range habits {
		habits[s] = habit{}
	}
	for _, e := range g.Edges {
		habits[e.Source][try(e.Action)] += e.Support
	}
	for _, r := range g.Refused {
		habits[r.State][try(-r.Action)] += r.Count
	}
	return habits
}

func (h habit) total() int {
	n := 0
	for _, count := range h {
		n += count
	}
	return n
}

func (h habit) add(other habit) {
	for t, n := range other {
		h[t] += n
	}
}

// alike is the chance that two samples of one habit differ as much as these in
// some try: Fisher's exact test for each try against all others, two-sided, with
// Bonferroni's correction. It holds for any counts, and few there often are.
func (h habit) alike(other habit) float64 {
	both := habit{}
	both.add(h)
	both.add(other)
	size, all := h.total(), both.total()
	least := 1.0
	for t, n := range both {
		below, above := 0.0, 0.0
		for k := max(0, size+n-all); k <= min(size, n); k++ {
			p := math.Exp(logChoose(n, k) + logChoose(all-n, size-k) - logChoose(all, size))
			if k <= h[t] {
				below += p
			}
			if k >= h[t] {
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
