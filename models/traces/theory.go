package traces

import (
	"slices"

	"stripswm/models/internal/bitset"
	"stripswm/models/strips"
)

// rule is what a model says of an action, in bits: what it needs, and what it sets.
type rule struct{ pos, neg, add, del set }

// theory is a model that attempts are read with.
type theory struct {
	rules []rule    // by action id - 1
	share []float64 // by predicate: how often it holds
}

// theory is that of the result, with the values alone that the effects need, or with all
// preconditions. These may be coincidences, until what was recorded wrongly is known.
func (r *Result) theory(actions int, preconditions bool) *theory {
	n := len(r.regions)
	y := &theory{rules: make([]rule, actions)}
	for a := range y.rules {
		y.rules[a] = rule{bitset.New(n), bitset.New(n), bitset.New(n), bitset.New(n)}
	}
	for _, o := range r.Model.Operators {
		pos, neg := o.Del, o.Add
		if preconditions {
			pos, neg = o.PrePos, o.PreNeg
		}
		to := &y.rules[o.Action-1]
		for _, part := range []struct {
			to   set
			from []strips.Predicate
		}{{to.pos, pos}, {to.neg, neg}, {to.add, o.Add}, {to.del, o.Del}} {
			for _, p := range part.from {
				part.to.Set(int(p))
			}
		}
	}
	for _, q := range r.regions {
		holds := float64(q.holds.Count())
		y.share = append(y.share, (holds+1)/(holds+float64(q.fails.Count())+2))
	}
	return y
}

// tolerated adds the facts that alternate but for errors to those that do.
func tolerated(t *trace, mined []*region, work steps) []*region {
	for _, g := range grow(t, work) {
		r := &region{effects: g.effects}
		slices.SortFunc(r.effects, func(x, y effect) int { return x.action - y.action })
		if !slices.ContainsFunc(mined, func(m *region) bool {
			return sameEffects(m, r, false) || sameEffects(m, r, true)
		}) {
			r.evaluate(t)
			mined = append(mined, r)
		}
	}
	return mined
}

// plenty is how many successes of an action are enough to find a fact that it changes: see "too few
// attempts" in docs/research/traces.md.
const plenty = 25

// suspicious says whether the attempts may have been recorded wrongly: a skill failed, or most
// actions that often succeeded change nothing.
func (r *Result) suspicious(segments [][]Attempt) bool {
	for _, segment := range segments {
		if slices.ContainsFunc(segment, func(a Attempt) bool { return a.Outcome == Failed }) {
			return true
		}
	}
	often, inert := 0, 0
	for _, o := range r.Model.Operators {
		if r.Report.Actions[o.Action-1].Successes >= plenty {
			often++
			if len(o.Add)+len(o.Del) == 0 {
				inert++
			}
		}
	}
	return 2*inert > often
}
