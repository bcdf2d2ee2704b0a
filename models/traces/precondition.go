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

// requirements returns the preconditions of an action: first the regions that it changes, then, one
// at a time, the literal with the most evidence beside those before it. That has to be more than it
// takes to say which literal it is, the logarithm of their number: in a larger world an action does
// not get more preconditions by coincidence. It is false where the work ended before.
func requirements(action int, regions []*region, c *context, work *steps) ([]requirement, bool) {
	var found []requirement
	used := make([]bool, len(regions))
	for i, r := range regions {
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
	bar := math.Log(float64(2 * len(regions)))
	for {
		if !work.spend(len(regions) * (2*len(c.open) + len(c.succeeds))) {
			return found, false
		}
		best := requirement{Evidence: Evidence{Nats: bar}}
		for i := range regions {
			for _, negated := range []bool{false, true} {
				l := literal{i, negated}
				if w, ok := c.weigh(l.where(regions)); ok && !used[i] && w.Nats > best.Nats {
					best = requirement{literal: l, Evidence: w}
				}
			}
		}
		if best.Nats == bar {
			return found, true
		}
		found, used[best.region] = append(found, best), true
		c.require(best.where(regions))
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
			seen = append(seen, Undecided{l.public(), w, c.open.shared(fails)})
		}
	}
	slices.SortStableFunc(seen, func(x, y Undecided) int { return cmp.Compare(y.Nats, x.Nats) })
	return seen, unseen
}
