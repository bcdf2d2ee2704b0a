package traces

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
)

// rounds is how often what was accepted says what further facts, unions and preconditions cost.
// Most of it is known after the first round, and hardly anything changes after the second one.
const rounds = 3

// chooseAll chooses in rounds, with the unions that the forms of others leave.
func chooseAll(t *trace, regions []*region, facts *pool, work steps) ([]*region, []bool, bool) {
	p, last := [3]*pool{facts}, []bool(nil)
	for round := 1; ; round++ {
		chosen, whole := choose(t, regions, p, work)
		if slices.Equal(last, chosen) || !whole {
			return regions, chosen, whole
		}
		p, last = pools(len(t.ids), regions, chosen), chosen
		if round == rounds {
			return regions, chosen, whole
		}
		add := func(u *region) {
			known := func(r *region) bool { return slices.Equal(r.members, u.members) }
			if i := slices.IndexFunc(regions, known); i >= 0 {
				regions[i].group = regions[i].group || u.group
			} else {
				regions, last = append(regions, u), append(last, false)
			}
		}
		for _, u := range grouped(t, regions, chosen, p[0], &work) {
			add(u)
		}
		var groups []*region
		var number []int
		for i, r := range regions {
			if r.group {
				groups, number = append(groups, r), append(number, i)
			}
		}
		second, _ := unionsOf(t, groups, number, &work)
		for _, u := range second {
			add(u)
		}
	}
}

// pools are those of facts, unions, and unions of unions.
func pools(actions int, regions []*region, chosen []bool) (p [3]*pool) {
	n := [3]int{actions}
	for i, r := range regions {
		if chosen[i] && r.level < 2 {
			n[r.level+1]++
		}
	}
	for k := range p {
		p[k] = newPool(n[k])
	}
	var order []*region
	for i, r := range regions {
		if chosen[i] {
			order = append(order, r)
		}
	}
	slices.SortStableFunc(order, func(x, y *region) int { return cmp.Compare(y.nats, x.nats) })
	for _, r := range order {
		p[r.level].accept(r.named())
	}
	for k := range p {
		p[k].settle()
	}
	return p
}

// choose returns the regions that the attempts speak for: an action that adds a region needs it to
// be false, one that deletes it needs it to be true, and the region has to explain more of what
// succeeded and what was refused than one would by coincidence. Those that explain most go before
// the others: first facts of a form that several have, then the groups of these, since both are
// cheap to name, then other facts. Other unions have to explain what is left: those of unions first
// as any set of actions, since they explain more than their members, then as unions of those that
// were chosen.
// It is false where the work ended before all were weighed.
func choose(t *trace, regions []*region, p [3]*pool, work steps) ([]bool, bool) {
	c := contexts(t)
	chosen := make([]bool, len(regions))
	missing := func(m literal) bool { return !chosen[m.region] }
	var now [3]*pool
	for k := range now {
		now[k] = newPool(0)
	}
	// price is that of a region, and the one that it is ordered by: a union that is none of a form is
	// cheaper to name by its members, and goes no earlier for it than by its actions
	price := func(r *region) (nats, order float64) {
		alone := supports(len(c), len(r.effects))
		if p[r.level] == nil || slices.ContainsFunc(r.members, missing) {
			return alone, alone
		}
		nats, pooled := p[r.level].price(r.named(), now[r.level])
		if nats = min(nats, alone); pooled {
			return nats, nats
		}
		return nats, alone
	}
	rank := func(i int) candidate {
		_, order := price(regions[i])
		return candidate{i, regions[i].explains(c) - order}
	}
	passes := []struct {
		level int // of regions whose prices have to be known
		has   func(r *region) bool
	}{
		{0, func(r *region) bool { return r.level == 0 && p[0].has(r.named()) }},
		{1, func(r *region) bool { return r.group && !slices.ContainsFunc(r.members, missing) }},
		{1, func(r *region) bool { return r.level == 0 }},
		{1, func(r *region) bool { return r.level > 0 }},
		{2, func(r *region) bool { return r.level == 2 }},
	}
	for _, pass := range passes {
		if p[pass.level] == nil { // the first round
			p[pass.level] = pools(len(c), regions, chosen)[pass.level]
		}
		q := &queue{}
		for i, r := range regions {
			if !chosen[i] && pass.has(r) {
				heap.Push(q, rank(i))
			}
		}
		for q.Len() > 0 {
			best := heap.Pop(q).(candidate)
			r := regions[best.region]
			if !work.spend(len(r.effects) * (1 + t.intervals/32)) {
				return chosen, false
			}
			best = rank(best.region)
			nats, _ := price(r)
			gain := r.explains(c) - nats
			if gain <= 0 {
				continue
			}
			if q.Len() > 0 && (*q)[0].before(best) {
				heap.Push(q, best)
				continue
			}
			chosen[best.region], r.nats, r.price = true, gain, nats
			now[r.level].accept(r.named())
			for _, e := range r.effects {
				c[e.action].require(literal{best.region, e.adds}.where(regions))
			}
		}
	}
	return chosen, true
}

// settle sets the regions and finds their preconditions, without the unions that do not pay when
// these are known. Two things that are in a drawer for long seldom meet while it is open: what
// looks like mutual exclusion is the drawer.
func (res *Result) settle(t *trace, regions []*region, chosen []bool, shown []Shown,
	work steps) *preconditions {
	express(t, regions, chosen)
	for {
		res.regions = t.withShown(renumber(regions, chosen), shown)
		p := res.findWithUnions(t, &work)
		drop := idle(t, res.regions, p)
		if !p.done || len(drop) == 0 {
			return p
		}
		for i, r := range regions {
			kept := func(x *region) bool { return &x.holds[0] == &r.holds[0] }
			chosen[i] = chosen[i] && !slices.ContainsFunc(drop, kept)
		}
	}
}

// findWithUnions finds preconditions among the regions and the unions of those that images show, of
// which the regions have then those that some action needs.
func (res *Result) findWithUnions(t *trace, work *steps) *preconditions {
	regions, unions := res.regions, t.somewhere(res.regions)
	for {
		res.regions = slices.Concat(regions, unions)
		p, needed := findPreconditions(t, res.regions, work), make([]bool, len(res.regions))
		for _, required := range p.required {
			for _, q := range required {
				needed[q.region] = needed[q.region] || !q.changes
			}
		}
		n := len(unions)
		var rest []*region
		for i, u := range unions {
			if needed[len(regions)+i] {
				rest = append(rest, u)
			}
		}
		if unions = rest; len(unions) == n {
			return p
		}
	}
}

// idle returns unions, and facts that no image shows where images show others, which explain less
// than they cost, beside all other preconditions, and which no union is made of that no image shows
// as a fact. Of those that share an action it is the one that falls shortest, as the
// others may pay without it.
func idle(t *trace, regions []*region, p *preconditions) (drop []*region) {
	gain := make([]float64, len(regions))
	seen := slices.ContainsFunc(regions, func(r *region) bool { return r.shown })
	for i, r := range regions {
		hidden := seen && !r.shown && r.variable == 0
		if gain[i] = -r.price; r.members == nil && !hidden {
			gain[i] = 0
		}
	}
	for a, c := range contexts(t) {
		for i, e := range beside(c, regions, p.required[a]) {
			gain[p.required[a][i].region] += e.Nats
		}
	}
	for _, r := range regions {
		same := func(x *region) bool {
			return x.shown && (sameEffects(x, r, true) || sameEffects(x, r, false))
		}
		if len(r.members) == 0 || slices.ContainsFunc(regions, same) {
			continue
		}
		for _, m := range r.members {
			gain[m.region] = 0
		}
	}
	order := make([]int, len(regions))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(gain[x], gain[y]) })
	touched := make([]bool, len(t.ids))
	for _, i := range order {
		touches := func(e effect) bool { return touched[e.action] }
		shares := slices.ContainsFunc(regions[i].effects, touches)
		if gain[i] >= 0 || shares {
			continue
		}
		drop = append(drop, regions[i])
		for _, e := range regions[i].effects {
			touched[e.action] = true
		}
	}
	return drop
}

// renumber returns copies of the chosen regions, facts first, with members of their numbers.
func renumber(regions []*region, chosen []bool) []*region {
	var facts, derived []*region
	number := make([]int, len(regions))
	var order []int // of what a union has as members before it
	for level := range 3 {
		for i, r := range regions {
			if chosen[i] && r.level == level {
				order = append(order, i)
			}
		}
	}
	left := func(m literal) bool { return !chosen[m.region] }
	for _, i := range order {
		r := regions[i]
		kept := *r
		if slices.ContainsFunc(r.members, left) {
			kept.members = nil
		}
		if slices.ContainsFunc(r.also, left) {
			kept.also = nil
		}
		if kept.members == nil {
			number[i] = len(facts)
			facts = append(facts, &kept)
		} else {
			number[i] = -1 - len(derived)
			derived = append(derived, &kept)
		}
	}
	all := append(facts, derived...)
	for _, r := range all {
		r.members, r.also = slices.Clone(r.members), slices.Clone(r.also)
		r.of(func(l *literal) {
			if l.region = number[l.region]; l.region < 0 {
				l.region = len(facts) - 1 - l.region
			}
		})
	}
	return all
}

// explains is the evidence for the region, in nats: that for it as a precondition of its actions,
// less what it takes to name them. The first event of a segment is no evidence: the value before it
// follows from the event itself. Nor are two idle events.
func (r *region) explains(c []context) float64 {
	sum := r.succeeds(c)
	for _, e := range r.effects {
		_, fails := r.before(e)
		for _, i := range c[e.action].refused {
			if fails.Has(int(i)) {
				sum -= math.Log(errorShare)
			}
		}
	}
	return sum
}

// succeeds is explains without refusals.
func (r *region) succeeds(c []context) float64 {
	sum := 0.0
	for _, e := range r.effects {
		holds, fails := r.before(e)
		w, _ := c[e.action].weigh(holds, fails) // true, since the region alternates
		w.Refused = 0
		for _, ev := range r.given {
			if int(ev.action) == e.action && c[e.action].open.Has(int(ev.before)) &&
				holds.Has(int(ev.before)) {
				w.Successes, w.Holds = w.Successes-1, w.Holds-1
			}
		}
		w.weigh()
		sum += w.Nats
	}
	return sum
}

// candidate is a region and what it explained when it was last asked, which hardly ever grows.
type candidate struct {
	region int
	nats   float64
}

func (x candidate) before(y candidate) bool {
	return cmp.Or(cmp.Compare(y.nats, x.nats), x.region-y.region) < 0
}

type queue []candidate

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].before(q[j]) }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(candidate)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
