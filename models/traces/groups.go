package traces

import (
	"math"
	"slices"

	"stripswm/models/internal/bitset"
)

// grouped divides the chosen facts of each form into groups of which at most one holds, and returns
// their unions, such as that a place is taken: what makes a fact true needs the others of its group
// to be false. That two facts never held together says little while each held a few times, but that
// none of a group met any other one says much. It is asked only where actions go with objects
// (split): in key and door, where they do not, few of the groups were true.
func grouped(t *trace, regions []*region, chosen []bool, p *pool, work *steps) (found []*region) {
	if !slices.ContainsFunc(regions, func(r *region) bool { return r.part }) {
		return nil
	}
	var all []int
	contexts := contexts(t)
	for i, r := range regions {
		if chosen[i] && (r.level == 0 || r.group) {
			all = append(all, i)
			for _, e := range r.effects {
				contexts[e.action].require(r.before(e))
			}
		}
	}
	for _, of := range p.pooled() {
		var facts []*region
		var number []int
		for _, i := range all {
			if regions[i].level == 0 && formOf(regions[i].named()) == of {
				facts, number = append(facts, regions[i]), append(number, i)
			}
		}
		apart := make([]set, len(facts))
		for i := range apart {
			apart[i] = bitset.New(len(facts))
		}
		separate := func(i, j int) {
			apart[i].Set(j)
			apart[j].Set(i)
		}
		for i, x := range facts {
			for j, y := range facts[:i] {
				if x.holds.Meets(y.holds) {
					separate(i, j)
				}
			}
		}
		for _, o := range all { // what is at one place is at no other, which says nothing of places
			var object []int
			for i, x := range facts {
				if !x.insteadOf(regions[o]) && !regions[o].has(x, regions) {
					continue
				}
				for _, j := range object {
					separate(i, j)
				}
				object = append(object, i)
			}
		}
		nats, done := meetings(t, facts, contexts, work)
		if !done {
			return nil
		}
		for _, group := range gather(nats, apart) {
			u := &region{level: 1, group: true}
			for _, i := range group {
				u.members = append(u.members, literal{number[i], false})
			}
			if len(group) > 1 && u.compose(t, regions) && !u.holds.Empty() && !u.fails.Empty() {
				found = append(found, u)
			}
		}
	}
	return found
}

// insteadOf says whether all that makes the region true makes another one false, and the other way
// round, and both never held, as an object is at a place that was in the hand.
func (r *region) insteadOf(other *region) bool {
	if other.members != nil {
		return false
	}
	for _, e := range r.effects {
		if !slices.Contains(other.effects, effect{e.action, !e.adds}) {
			return false
		}
	}
	return r != other && !r.holds.Meets(other.holds)
}

// has says whether a union has a fact as a member.
func (r *region) has(fact *region, regions []*region) bool {
	return slices.ContainsFunc(r.members, func(m literal) bool { return regions[m.region] == fact })
}

// meetings is how often pairs of facts should have met if they did not exclude one another, in
// nats: successes that make one of them true while the other holds, among all successes and among
// the attempts. It is false where the work ended before.
func meetings(t *trace, facts []*region, contexts []context, work *steps) ([][]float64, bool) {
	nats := make([][]float64, len(facts))
	for i := range nats {
		nats[i] = make([]float64, len(facts))
	}
	for i, x := range facts {
		for _, e := range x.effects {
			c := &contexts[e.action]
			if !work.spend(len(facts) * (t.intervals/32 + len(c.refused) + len(c.succeeds))) {
				return nats, false
			}
			if !e.adds {
				continue
			}
			for j, y := range facts {
				w, possible := c.weigh(y.fails, y.holds)
				if i == j || !possible {
					continue
				}
				refused, others := float64(w.Refused), float64(len(c.refused)-w.Refused)
				succeeds := (float64(len(c.succeeds)) + 0.5) / (float64(len(c.succeeds)) + others + 1)
				w.Refused = 0
				w.weigh()
				sum := w.Nats - refused*math.Log(1-succeeds)
				nats[i][j] += sum
				nats[j][i] += sum
			}
		}
	}
	return nats, true
}

// gather joins items to groups, of two groups that may be joined those with the most evidence. A
// group is worth more than it takes to name it. An item that is left is of a group if that is more
// likely than that it is alone, or of another one, as far as the others are in groups.
func gather(nats [][]float64, apart []set) [][]int {
	n := len(nats)
	groups := make([][]int, n)
	for i := range groups {
		groups[i] = []int{i}
	}
	between := func(a, b []int) float64 {
		sum := 0.0
		for _, i := range a {
			for _, j := range b {
				if apart[i].Has(j) {
					return math.Inf(-1)
				}
				sum += nats[i][j]
			}
		}
		return sum
	}
	for joined := true; joined; {
		joined = false
		most, x, y := math.Log(float64(n)), 0, 0
		for i, a := range groups {
			for j, b := range groups[:i] {
				if s := between(a, b); len(a) > 0 && len(b) > 0 && s > most {
					most, x, y, joined = s, i, j, true
				}
			}
		}
		if joined {
			groups[y], groups[x] = append(groups[y], groups[x]...), nil
		}
	}
	var kept [][]int
	var alone []int
	for _, g := range groups {
		within := 0.0
		for k := range g {
			within += between(g[:k], g[k:k+1])
		}
		if within > logChoose(n, len(g)) {
			kept = append(kept, g)
		} else {
			alone = append(alone, g...)
		}
	}
	odds := (float64(len(alone)) - 0.5) / (float64(n-len(alone)) + 0.5)
	for _, item := range alone {
		best, most, sum, possible := 0, 0.0, 0.0, 0
		for k, g := range kept {
			if s := between(g, []int{item}); !math.IsInf(s, -1) {
				if sum, possible = sum+math.Exp(s), possible+1; math.Exp(s) > most {
					best, most = k, math.Exp(s)
				}
			}
		}
		if most > sum-most+odds*float64(possible) {
			kept[best] = append(kept[best], item)
		}
	}
	for _, g := range kept {
		slices.Sort(g)
	}
	return kept
}
