package traces

import (
	"math"
	"slices"
)

// split divides a region by what its actions go with: those that make it true and those that follow
// and make it false again are of one part, if that was so once, or likewise those that make it
// false and those that follow. What is in the hand is divided so by object, since an object that is
// picked up is put down next. Parts have to save more, where it is told by its part what follows,
// than it takes to name them.
func split(t *trace, r *region) (parts []*region) {
	events, _, adds := r.events(t)
	for _, first := range []bool{true, false} {
		parent := map[int]int{}
		root := func(a int) int {
			for p, joined := parent[a]; joined; p, joined = parent[a] {
				a = p
			}
			return a
		}
		var next []int // the actions that follow
		for i := 1; i < len(events); i++ {
			x, y := t.events[events[i-1]], t.events[events[i]]
			if adds[x.action] != first || adds[y.action] == first ||
				t.segment(events[i-1]) != t.segment(events[i]) {
				continue
			}
			next = append(next, int(y.action))
			if a, b := root(int(x.action)), root(int(y.action)); a != b {
				parent[a] = b
			}
		}
		var found []*region
		of, ends := map[int]*region{}, map[int]float64{}
		following := 0.0
		for _, e := range r.effects {
			a := root(e.action)
			if of[a] == nil {
				of[a] = &region{part: true}
				found = append(found, of[a])
			}
			of[a].effects = append(of[a].effects, e)
			if e.adds != first {
				ends[a], following = ends[a]+1, following+1
			}
		}
		nats := 0.0
		for _, a := range next {
			nats += math.Log(following / ends[root(a)])
		}
		for _, p := range found {
			n := float64(len(p.effects))
			nats -= n * math.Log(float64(len(r.effects))/n)
		}
		if nats < math.Log(float64(len(r.effects))) {
			continue
		}
		found = slices.DeleteFunc(found, func(p *region) bool {
			return len(p.effects) == 2 || !p.evaluate(t)
		})
		if len(found) > 1 { // one is the rest
			parts = append(parts, found...)
		}
	}
	return parts
}

// express makes unions of parts that other facts say: what is in the hand is at no place. A union
// has the other sign, and so have its literals in other unions. A member of a union that was not
// chosen is the chosen region that the same actions change.
func express(t *trace, regions []*region, chosen []bool) {
	for i, r := range regions {
		if !chosen[i] || !r.part || r.members != nil {
			continue
		}
		u := &region{level: 1, group: true, part: true, nats: r.nats, price: r.price}
		for k, f := range regions {
			if chosen[k] && f.level == 0 && f.insteadOf(r) {
				u.members = append(u.members, literal{k, false})
			}
		}
		if len(u.members) < 2 || !u.compose(t, regions) || !sameEffects(u, r, true) {
			continue
		}
		regions[i] = u
		for _, other := range regions {
			other.of(func(l *literal) { l.negated = l.negated != (l.region == i) })
		}
	}
	for i, r := range regions { // who knows what is in the hand knows that it is full
		if !chosen[i] || r.members != nil || r.also != nil {
			continue
		}
		var u region
		for k, p := range regions {
			if chosen[k] && p.part && k != i {
				u.members = append(u.members, literal{k, p.members != nil})
			}
		}
		if len(u.members) < 2 || !u.compose(t, regions) {
			continue
		}
		if negated := sameEffects(&u, r, true); negated || sameEffects(&u, r, false) {
			r.also, r.negated = u.members, negated
		}
	}
	for i, r := range regions {
		if !chosen[i] {
			continue
		}
		r.of(func(l *literal) {
			for k, other := range regions {
				if !chosen[l.region] && chosen[k] && k != i &&
					sameEffects(other, regions[l.region], false) {
					l.region = k
				}
			}
		})
	}
}
