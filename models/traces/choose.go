package traces

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
)

// choose returns the regions that the attempts speak for: an action that adds a region needs it to
// be false, one that deletes it needs it to be true, and the region has to explain more of what
// succeeded and what was refused than one would by coincidence. Facts go first, those that explain
// most before the others, and unions have to explain what is left. A union whose members were not
// all chosen is a fact. Facts are first in the result. It is false where the work ended before all
// were weighed.
func choose(t *trace, regions []*region, work steps) ([]*region, bool) {
	c := contexts(t)
	chosen := make([]bool, len(regions))
	for _, unions := range []bool{false, true} {
		q := &queue{}
		for i, r := range regions {
			if unions == (r.members != nil) {
				heap.Push(q, candidate{i, r.explains(c)})
			}
		}
		for q.Len() > 0 {
			best := heap.Pop(q).(candidate)
			r := regions[best.region]
			if !work.spend(len(r.effects) * (1 + t.intervals/32)) {
				return renumber(regions, chosen), false
			}
			best.nats = r.explains(c)
			if best.nats <= 0 {
				continue
			}
			if q.Len() > 0 && (*q)[0].before(best) {
				heap.Push(q, best)
				continue
			}
			chosen[best.region], r.nats = true, best.nats
			for _, e := range r.effects {
				c[e.action].require(literal{best.region, e.adds}.where(regions))
			}
		}
	}
	return renumber(regions, chosen), true
}

// renumber returns copies of the chosen regions, facts first, with members of their numbers.
func renumber(regions []*region, chosen []bool) []*region {
	var facts, derived []*region
	number := make([]int, len(regions))
	for i, r := range regions {
		if !chosen[i] {
			continue
		}
		kept := *r
		left := func(m literal) bool { return !chosen[m.region] }
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
		for _, list := range []*[]literal{&r.members, &r.also} {
			*list = slices.Clone(*list)
			for k, m := range *list {
				if (*list)[k].region = number[m.region]; number[m.region] < 0 {
					(*list)[k].region = len(facts) - 1 - number[m.region]
				}
			}
		}
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
	sum := -supports(len(c), len(r.effects))
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
