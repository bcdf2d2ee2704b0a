package traces

import (
	"cmp"
	"slices"
)

// requirement is a precondition of an action with its evidence.
type requirement struct {
	literal
	Evidence
	changes bool // the action changes the region, which is why it is one
}

// requirements returns the preconditions of an action: first those of regions that it changes;
// then, one at a time, the literal that has the most evidence beside those before it, less its
// price. It is false where the work ended before.
func requirements(changed []requirement, regions []*region, c *context, p *needs,
	work *steps) ([]requirement, bool) {
	found, changes := slices.Clone(changed), len(changed)
	used := make([]bool, len(regions))
	for _, q := range found {
		used[q.region] = true
	}
	if !work.spend(changes * changes * len(c.open)) {
		return found, false
	}
	for i, e := range beside(*c, regions, found) {
		found[i].Evidence = e
	}
	for _, f := range found {
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
				if more := w.Nats - p.price(c.action, l, len(found)-changes); ok && !used[i] && more > gain {
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

// preconditions are those of all actions, by action.
type preconditions struct {
	required [][]requirement
	left     []context // what they leave
	needs    *needs
	done     bool // false where the work ended before
}

// findPreconditions finds them several times: after the first it is known which literals actions
// need.
func findPreconditions(t *trace, regions []*region, work *steps) *preconditions {
	changes := changed(t, regions)
	p := &preconditions{required: slices.Clone(changes), done: true}
	p.needs = newNeeds(t, regions, changes)
	for round := 1; ; round++ {
		p.left = contexts(t)
		for a := range p.left {
			if len(t.occurs[a]) > 0 {
				var whole bool
				p.required[a], whole = requirements(changes[a], regions, &p.left[a], p.needs, work)
				p.done = p.done && whole
			}
		}
		p.needs.learn(p.required)
		if round == rounds || !p.done {
			return p
		}
		p.needs.weigh(t, regions, p.required)
	}
}

// changed are the requirements of actions by the regions that they change, but for those that
// images show, which an action sets whatever they were.
func changed(t *trace, regions []*region) [][]requirement {
	found := make([][]requirement, len(t.ids))
	for i, r := range regions {
		for _, e := range r.effects {
			if !r.shown {
				l := literal{i, e.adds}
				found[e.action] = append(found[e.action], requirement{literal: l, changes: true})
			}
		}
	}
	return found
}

// beside is the evidence for each requirement of an action beside the others.
func beside(c context, regions []*region, required []requirement) []Evidence {
	all := make([]Evidence, len(required))
	for i, q := range required {
		rest := c
		for j, o := range required {
			if j != i {
				rest.require(o.where(regions))
			}
		}
		all[i], _ = rest.weigh(q.where(regions))
	}
	return all
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
