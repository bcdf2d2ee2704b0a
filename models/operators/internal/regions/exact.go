package regions

import (
	"slices"

	"github.com/go-air/gini/z"

	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"
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

// fewest finds the fewest of all regions that separate every constraint in want, and a lower bound
// on their number, which is equal to it if the work sufficed for the proof.
func fewest(w *work.Work, all []*region, want bitset.Set) (chosen []*region, bound int) {
	covers := make([]bitset.Set, len(all))
	for i, c := range all {
		covers[i] = c.cover
	}
	rows, _ := membership(covers, want)
	var choice []int
	w.Within(50, func() { choice, bound = hitting(w, rows, ones(len(all)), coverNodes) })
	for _, i := range choice {
		chosen = append(chosen, all[i])
	}
	return chosen, bound
}

// undominated keeps the regions of which none other separates as much with as few effects.
func undominated(regions []*region) []*region {
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

// membership is, for each member of want, the set of the covers that have it, each such set once.
// Open are the members that none has.
func membership(covers []bitset.Set, want bitset.Set) (rows []bitset.Set, open bitset.Set) {
	seen := map[string]bool{}
	open = make(bitset.Set, len(want))
	for constraint := range want.Each {
		row := bitset.New(len(covers))
		for i, cover := range covers {
			if cover.Has(constraint) {
				row.Set(i)
			}
		}
		if row.Empty() {
			open.Set(constraint)
		} else if key := row.Key(); !seen[key] {
			seen[key] = true
			rows = append(rows, row)
		}
	}
	return rows, open
}
