package traces

import (
	"cmp"
	"slices"
)

// atomic separates the regions of which a literal is the disjoint OR of rarer literals of others,
// and gives them these as members: they are unions. "At home or in the van" is one, where a parcel
// may be elsewhere. Two actions that undo each other are no union. What remains are the atomic
// regions, in the same order, and members have their numbers. It is false where the work ended
// before all were compared; those that were not are atomic.
func atomic(t *trace, regions []*region, work steps) (kept, composed []*region, done bool) {
	type counted struct {
		literal
		count int
	}
	var literals []counted
	for i, r := range regions {
		literals = append(literals, counted{literal{i, false}, r.holds.Count()},
			counted{literal{i, true}, r.fails.Count()})
	}
	slices.SortStableFunc(literals, func(x, y counted) int { return cmp.Compare(x.count, y.count) })
	unions, done := make([]*region, len(regions)), true
	for k, l := range literals {
		if done = work.spend(1 + k*t.intervals/64); !done {
			break
		}
		if r := regions[l.region]; unions[l.region] != nil || r.part || len(r.effects) == 2 {
			continue
		}
		holds, fails := l.where(regions)
		rest, members := holds.Clone(), []literal(nil)
		for _, q := range slices.Backward(literals[:k]) { // the larger ones before their own parts
			inside, _ := q.where(regions)
			if q.count > 0 && q.region != l.region && unions[q.region] == nil && !regions[q.region].part &&
				inside.Within(rest) && !inside.Meets(fails) {
				rest.Remove(inside)
				members = append(members, q.literal)
			}
		}
		rest.Remove(t.between)
		if rest.Count() == 0 && len(members) > 1 {
			u := &region{members: members, level: 1}
			if u.compose(t, regions) && sameEffects(u, regions[l.region], l.negated) {
				unions[l.region] = u
			}
		}
	}
	number := make([]int, len(regions))
	for i, r := range regions {
		if number[i] = len(kept); unions[i] == nil {
			kept = append(kept, r)
		}
	}
	for i, u := range unions {
		composite := func(m literal) bool { return unions[m.region] != nil } // found out later
		if u != nil && !regions[i].wide && !slices.ContainsFunc(u.members, composite) {
			for m := range u.members {
				u.members[m].region = number[u.members[m].region]
			}
			composed = append(composed, u)
		}
	}
	return kept, composed, done
}

// sameEffects says whether u has the effects of a literal of r.
func sameEffects(u, r *region, negated bool) bool {
	return u != nil && slices.EqualFunc(u.effects, r.effects, func(x, y effect) bool {
		return x.action == y.action && x.adds == (y.adds != negated)
	})
}
