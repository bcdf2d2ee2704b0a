package columns

import (
	"slices"
	"stripswm/models/operators/internal/work"

	"github.com/go-air/gini/z"
)

// enumerate lists every column up to complement. It gives up (false) beyond the
// given number, when the work ends, or at once if so many would be too much for
// the size of the graph.
func enumerate(w *work.Work, p *Problem, limit int) ([]*column, bool) {
	if p.states == 0 {
		return nil, true
	}
	if limit = min(limit, enumerateWork/p.states); limit < enumerateLeast {
		return nil, false
	}
	o := newOracle(p, w)
	o.clause(o.holds(0).Not()) // the complement is the same column
	var all []*column
	for n := 0; ; n++ {
		if n > limit {
			return nil, false
		}
		switch w.Decide(o.solver) {
		case -1:
			return all, true
		case 0:
			return nil, false
		}
		x := o.values()
		all = append(all, p.mustColumn(x))
		w.Spend(p.size())
		block := make([]z.Lit, p.states)
		for s := range block {
			block[s] = o.value(s, !x.Has(s))
		}
		o.clause(block...)
	}
}

// withAtoms keeps the columns that separate an atom and are not dominated: none
// other separates as much with as few effects. A best choice of columns, in
// every later objective, can be made of these.
func withAtoms(columns []*column) []*column {
	columns = slices.DeleteFunc(columns, func(c *column) bool { return c.cover.Empty() })
	sizes := make(map[*column]int, len(columns))
	for _, c := range columns {
		sizes[c] = c.cover.Count()
	}
	slices.SortStableFunc(columns, func(a, b *column) int {
		if sizes[a] != sizes[b] {
			return sizes[b] - sizes[a]
		}
		return a.effects - b.effects
	})
	var keep []*column
	for _, c := range columns {
		if !slices.ContainsFunc(keep, func(k *column) bool { return k.effects <= c.effects && c.cover.Within(k.cover) }) {
			keep = append(keep, c)
		}
	}
	return keep
}
