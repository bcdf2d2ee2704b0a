package regions

import (
	"slices"
	"stripswm/models/operators/internal/work"

	"github.com/go-air/gini/z"
)

// enumerate lists every region up to complement. It gives up (false) beyond the
// given number, when the work ends, or at once if so many would be too much for
// the size of the graph.
func enumerate(w *work.Work, p *Problem, limit int) ([]*region, bool) {
	if p.states == 0 {
		return nil, true
	}
	if limit = min(limit, enumerateWork/p.states); limit < enumerateLeast {
		return nil, false
	}
	o := newOracle(p, w)
	o.clause(o.holds(0).Not()) // the complement is the same region
	var all []*region
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
		all = append(all, p.mustRegion(x))
		w.Spend(p.size())
		block := make([]z.Lit, p.states)
		for s := range block {
			block[s] = o.value(s, !x.Has(s))
		}
		o.clause(block...)
	}
}

// withConstraints keeps the regions that separate a separation constraint and are not dominated:
// none other separates as much with as few effects. A best choice of regions, in every later
// objective, can be made of these.
func withConstraints(regions []*region) []*region {
	regions = slices.DeleteFunc(regions, func(c *region) bool { return c.cover.Empty() })
	sizes := make(map[*region]int, len(regions))
	for _, c := range regions {
		sizes[c] = c.cover.Count()
	}
	slices.SortStableFunc(regions, func(a, b *region) int {
		if sizes[a] != sizes[b] {
			return sizes[b] - sizes[a]
		}
		return a.effects - b.effects
	})
	var keep []*region
	for _, c := range regions {
		if !slices.ContainsFunc(keep, func(k *region) bool {
			return k.effects <= c.effects &&
				c.cover.Within(k.cover)
		}) {
			keep = append(keep, c)
		}
	}
	return keep
}
