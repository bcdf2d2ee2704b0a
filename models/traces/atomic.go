package traces

import (
	"cmp"
	"slices"
)

// atomic drops the regions that say nothing of their own: one of their literals is the OR of rarer
// literals that imply it. "At home or in the van" is such a region, where a parcel may be elsewhere.
// It is false where the work ended before all were compared; the others stay.
func atomic(t *trace, regions []*region, work steps) ([]*region, bool) {
	type counted struct {
		literal
		count int
	}
	var literals []counted
	for i, r := range regions {
		literals = append(literals, counted{literal{i, false}, r.holds.count()},
			counted{literal{i, true}, r.fails.count()})
	}
	slices.SortStableFunc(literals, func(x, y counted) int { return cmp.Compare(x.count, y.count) })
	dropped, done := make([]bool, len(regions)), true
	for k, l := range literals {
		if done = work.spend(1 + k*t.intervals/64); !done {
			break
		}
		holds, fails := l.where(regions)
		rest := holds.clone()
		for _, q := range literals[:k] {
			inside, _ := q.where(regions)
			if q.region != l.region && !dropped[q.region] && inside.shared(fails) < 0 {
				rest.without(inside)
			}
		}
		dropped[l.region] = dropped[l.region] || rest.count() == 0
	}
	var kept []*region
	for i, r := range regions {
		if !dropped[i] {
			kept = append(kept, r)
		}
	}
	return kept, done
}
