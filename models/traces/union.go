package traces

import (
	"fmt"
	"slices"

	"stripswm/models/internal/bitset"
)

// exclusion is the expected number of meetings from which two literals that never met count as
// mutually exclusive. It is low, since a union is made of many such pairs and has to explain
// attempts by itself before it is used. In a world ten times as large literals meet less often, and
// the recording has to be longer.
const exclusion = 1

// unions returns the ORs of mutually exclusive literals of the regions, one for each maximal
// clique, unless they are constant. It is false where the work ended before.
func unions(t *trace, regions []*region, work *steps) ([]*region, bool) {
	var literals []literal
	for i := range regions {
		literals = append(literals, literal{i, false}, literal{i, true})
	}
	n := len(literals)
	next := make([]set, n) // by literal: those that it excludes
	for i, l := range literals {
		next[i] = bitset.New(n)
		for j, o := range literals[:i] {
			if !work.spend(1 + t.intervals/64) {
				return nil, false
			}
			if l.region != o.region && exclude(t, regions, l, o) {
				next[i].Set(j)
				next[j].Set(i)
			}
		}
	}
	var cliques [][]literal
	for clique := range bitset.Cliques(next, work.spend) {
		var members []literal
		for _, i := range clique {
			members = append(members, literals[i])
		}
		if len(members) > 1 {
			cliques = append(cliques, members)
		}
	}
	var found []*region
	known := map[string]bool{}
	for _, members := range cliques {
		for more := true; more; {
			if !work.spend(t.intervals * (8 + len(members)/32)) {
				return found, false
			}
			u := &region{members: members, level: 1}
			key := fmt.Sprint(members)
			if known[key] || !u.compose(t, regions) || u.holds.Count() == 0 ||
				u.fails.Count() == 0 {
				break
			}
			known[key] = true
			found = append(found, u)
			if members, more = extend(t, regions, literals, u, work); more {
				slices.SortFunc(members, func(x, y literal) int { return x.region - y.region })
			}
		}
	}
	return found, work.left >= 0
}

// unionsOf returns the unions of unions, whose numbers are given.
func unionsOf(t *trace, first []*region, number []int, work *steps) ([]*region, bool) {
	found, whole := unions(t, first, work)
	for _, u := range found {
		u.level = 2
		u.of(func(l *literal) { l.region = number[l.region] })
	}
	return found, whole
}

// extend adds to a union the literal that would have met it most often and never did. Two literals
// that seldom hold may be exclusive although neither met the other by chance: with all members
// together they would have.
func extend(t *trace, regions []*region, literals []literal, u *region,
	work *steps) ([]literal, bool) {
	best, most := literal{}, 0.0
	for _, l := range literals {
		if !work.spend(1+t.intervals/64) || slices.Contains(u.members, l) {
			continue
		}
		holds, fails := l.where(regions)
		if holds.Meets(u.holds) {
			continue
		}
		meetings := begins(t, regions, l) * share(u.holds, u.fails)
		for _, m := range u.members {
			meetings += begins(t, regions, m) * share(holds, fails)
		}
		if meetings > most {
			best, most = l, meetings
		}
	}
	return append(slices.Clone(u.members), best), most >= exclusion
}

// exclude says whether the literals never held together although they would have met by chance.
func exclude(t *trace, regions []*region, l, o literal) bool {
	a, aFails := l.where(regions)
	b, bFails := o.where(regions)
	expected := begins(t, regions, l)*share(b, bFails) + begins(t, regions, o)*share(a, aFails)
	return !a.Meets(b) && expected >= exclusion
}

// share is that of the intervals with a known value in which it holds.
func share(holds, fails set) float64 {
	n := float64(holds.Count())
	return n / max(n+float64(fails.Count()), 1)
}

// begins is how often an action made the literal true.
func begins(t *trace, regions []*region, l literal) float64 {
	n := 0
	for _, e := range regions[l.region].effects {
		if e.adds != l.negated {
			n += len(t.occurs[e.action])
		}
	}
	return float64(n)
}
