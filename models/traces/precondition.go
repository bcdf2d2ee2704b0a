package traces

import (
	"cmp"
	"math"
	"slices"
)

// requirement is a precondition of an action with its evidence.
type requirement struct {
	literal
	Evidence
	changes bool // the action changes the region, which is why it is one
}

// requirements returns the preconditions of an action: first the regions that it changes, but for
// those that images show, which it sets whatever they were; then, one
// at a time, the literal that has the most evidence beside those before it, less its price. It is
// false where the work ended before.
func requirements(action int, regions []*region, c *context, p *prices,
	work *steps) ([]requirement, bool) {
	var found []requirement
	used := make([]bool, len(regions))
	for i, r := range regions {
		if r.shown {
			continue
		}
		for _, e := range r.effects {
			if e.action == action {
				l := literal{i, e.adds}
				found = append(found, requirement{literal: l, changes: true})
				used[i] = true
			}
		}
	}
	others := found
	if !work.spend(len(others) * len(others) * len(c.open)) {
		return found, false
	}
	for i := range others { // each beside all the others
		rest := *c
		for j, f := range others {
			if j != i {
				rest.require(f.where(regions))
			}
		}
		found[i].Evidence, _ = rest.weigh(found[i].where(regions))
	}
	for _, f := range others {
		c.require(f.where(regions))
	}
	for {
		if !work.spend(len(regions) * (2*len(c.open) + len(c.succeeds))) {
			return found, false
		}
		var best requirement
		gain := 0.0
		for i := range regions {
			for _, negated := range []bool{false, true} {
				l := literal{i, negated}
				w, ok := c.weigh(l.where(regions))
				if more := w.Nats - p.of(l); ok && !used[i] && more > gain {
					best, gain = requirement{literal: l, Evidence: w}, more
				}
			}
		}
		if gain == 0 {
			return found, true
		}
		found, used[best.region] = append(found, best), true
		c.require(best.where(regions))
	}
}

// preconditions returns those of all actions, and the contexts that they leave. They are found
// twice: the second time it is known which literals actions need. It is false where the work ended
// before.
func preconditions(t *trace, regions []*region, work *steps) ([]context, [][]requirement, bool) {
	p := &prices{actions: len(t.ids), regions: len(regions)}
	found, done := make([][]requirement, len(t.ids)), true
	for second := false; ; second = true {
		all := contexts(t)
		for a := range all {
			if len(t.occurs[a]) > 0 {
				var whole bool
				found[a], whole = requirements(a, regions, &all[a], p, work)
				done = done && whole
			}
		}
		p.learn(found)
		if second || !done || len(p.needed) == 0 {
			return all, found, done
		}
	}
}

// prices are what literals cost as preconditions that an action does not change, in nats: the
// logarithm of how unlikely each is before one looks at the action. At first all literals of all
// actions are equally unlikely, such that one by coincidence is expected in a world of any size. A
// literal that other actions need, such as that a vehicle is at a place, costs less.
type prices struct {
	actions, regions int
	needed           map[literal]int // by how many actions
}

func (p *prices) of(l literal) float64 {
	n := float64(p.needed[l]) + 1/float64(2*p.regions)
	return math.Log(float64(p.actions) / n)
}

// learn counts what actions need and do not change.
func (p *prices) learn(preconditions [][]requirement) {
	p.needed = map[literal]int{}
	for _, required := range preconditions {
		for _, q := range required {
			if !q.changes {
				p.needed[q.literal]++
			}
		}
	}
}

// undecided returns the literals that held at all successes of the action and are none of its
// preconditions: those that failed in an interval where the preconditions hold, with the evidence
// and the first such interval, most evidence first, and those that did not.
func undecided(regions []*region, c *context, required []requirement) ([]Undecided, []Literal) {
	var seen []Undecided
	var unseen []Literal
	for i := range regions {
		if slices.ContainsFunc(required, func(r requirement) bool { return r.region == i }) {
			continue
		}
		for _, negated := range []bool{false, true} {
			l := literal{i, negated}
			holds, fails := l.where(regions)
			w, ok := c.weigh(holds, fails)
			if !ok || w.Successes == 0 {
				continue
			}
			if w.Fails == 0 {
				unseen = append(unseen, l.public())
				continue
			}
			seen = append(seen, Undecided{l.public(), w, c.open.Shared(fails)})
		}
	}
	slices.SortStableFunc(seen, func(x, y Undecided) int { return cmp.Compare(y.Nats, x.Nats) })
	return seen, unseen
}
