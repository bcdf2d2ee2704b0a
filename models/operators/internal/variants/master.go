package variants

import (
	"slices"

	"github.com/go-air/gini"
	"github.com/go-air/gini/logic"
	"github.com/go-air/gini/z"

	"stripswm/models/operators/internal/work"
)

// master proposes groupings that have none of the conflicts known. It is a SAT
// problem over the pairs of edges of one action: are they in one variant? The number
// of variants is that of the edges that are in one with no earlier edge.
type master struct {
	sat
	w     *work.Work
	edges [][]int // by action, ascending
	same  map[[2]int]z.Lit
	count []*logic.CardSort // of the variants of each action
}

func newMaster(w *work.Work, edges [][]int) *master {
	m := &master{w: w, sat: sat{gini.New()}, edges: edges, same: map[[2]int]z.Lit{}}
	c := logic.NewC()
	for _, list := range edges {
		for k, e := range list {
			for _, f := range list[:k] {
				m.same[[2]int{f, e}] = c.Lit()
			}
		}
	}
	for _, list := range edges {
		var firsts []z.Lit
		for k, e := range list {
			first := c.T
			for _, f := range list[:k] {
				first = c.And(first, m.pair(f, e).Not())
			}
			firsts = append(firsts, first)
		}
		m.count = append(m.count, c.CardSort(firsts))
	}
	c.ToCnf(m.solver)
	for _, list := range edges {
		for k, e := range list {
			for l, f := range list[:k] {
				for _, d := range list[:l] {
					m.clause(m.pair(d, f).Not(), m.pair(f, e).Not(), m.pair(d, e))
					m.clause(m.pair(d, f).Not(), m.pair(d, e).Not(), m.pair(f, e))
					m.clause(m.pair(d, e).Not(), m.pair(f, e).Not(), m.pair(d, f))
				}
			}
		}
		w.Spend(int64(len(list) * len(list) * len(list)))
	}
	return m
}

func (m *master) pair(e, f int) z.Lit { return m.same[[2]int{min(e, f), max(e, f)}] }

// avoid rules out a conflict; one of other edges than the master's it cannot.
func (m *master) avoid(c conflict) {
	var lits []z.Lit
	for _, set := range c.together {
		for _, e := range set[1:] {
			lits = append(lits, m.pair(set[0], e).Not())
		}
	}
	if c.unless >= 0 {
		lits = append(lits, m.pair(c.together[0][0], c.unless))
	}
	if !slices.Contains(lits, z.LitNull) && !slices.Contains(lits, z.LitNull.Not()) {
		m.clause(lits...)
	}
}

// exclude says that the actions cannot all keep to these limits, see [quota].
func (m *master) exclude(limits []int) {
	var lits []z.Lit
	for a, k := range limits {
		if k >= 0 {
			lits = append(lits, m.count[a].Gr(k))
		}
	}
	m.clause(lits...)
}

// propose returns a grouping that keeps to the limits, as its groups of two edges or
// more: 1 if there is one, -1 if not, 0 if there was not enough work to tell. If there is
// none it returns those limits that are to blame.
func (m *master) propose(limits []int) (groups [][]int, core []int, answer int) {
	for a, k := range limits {
		if k >= 0 {
			m.solver.Assume(m.count[a].Leq(k))
		}
	}
	switch answer = m.w.Decide(m.solver); answer {
	case 1:
		return m.groups(), nil, answer
	case -1:
		why := m.solver.Why(nil)
		core = slices.Clone(limits)
		for a, k := range limits {
			if k >= 0 && !slices.Contains(why, m.count[a].Leq(k)) {
				core[a] = -1
			}
		}
	}
	return nil, core, answer
}

func (m *master) groups() [][]int {
	var groups [][]int
	for _, list := range m.edges {
		taken := map[int]bool{}
		for k, e := range list {
			if taken[e] {
				continue
			}
			group := []int{e}
			for _, f := range list[k+1:] {
				if m.solver.Value(m.pair(e, f)) {
					group = append(group, f)
					taken[f] = true
				}
			}
			if len(group) > 1 {
				groups = append(groups, group)
			}
		}
	}
	return groups
}

// shrink takes limits out of a core if it remains one.
func (m *master) shrink(core []int) []int {
	for a := range core {
		if core[a] < 0 || m.w.Over() {
			continue
		}
		without := slices.Clone(core)
		without[a] = -1
		if _, less, answer := m.propose(without); answer == -1 {
			core = less
		}
	}
	return core
}
