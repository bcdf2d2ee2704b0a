package traces

import (
	"cmp"
	"fmt"
	"slices"

	"stripswm/models/strips"
)

// Learn learns a model from the attempts of a robot with so many actions, 1 to MaxActions of them
// and variants; the model has the operators of variants under the id of their skill. A segment is
// a part of the recording without resets and gaps; after a failed attempt another one begins. The
// error says which attempt is not one of the robot's. The same attempts give the same result, and
// ids that are permuted a result that is permuted likewise.
func Learn(actions int, segments [][]Attempt, o Options) (*Result, error) {
	all := actions + len(o.Variants)
	if actions < 1 || all > MaxActions {
		return nil, fmt.Errorf("traces: %d actions: a robot has 1 to %d", all, MaxActions)
	}
	if o.Support < 0 || o.Steps < 0 {
		return nil, fmt.Errorf("traces: options %+v: want no negative number; 0 is the default", o)
	}
	if err := valid(actions, segments, o); err != nil {
		return nil, err
	}
	t := readTrace(all, segments, o.Variants)
	res := &Result{Before: t.before, After: t.after}
	work := steps{cmp.Or(o.Steps, DefaultSteps), o.Ended}
	regions, p := res.candidates(t, cmp.Or(o.Support, DefaultSupport), work)
	regions, chosen, whole := chooseAll(t, regions, p, work)
	res.cut(whole, Choice)
	pre := res.settle(t, regions, chosen, o.Shown, work)
	res.Model = &Model{Predicates: predicates(t, res.regions)}
	res.operators(t, pre, work)
	res.nameSkills(actions, o.Variants)
	if o.Ended != nil {
		if err := o.Ended(); err != nil {
			return nil, fmt.Errorf("traces: %w", err)
		}
	}
	return res, nil
}

// candidates returns the regions that may be facts, then their unions and the unions of these.
func (res *Result) candidates(t *trace, support int, work steps) ([]*region, *pool) {
	r := &res.Report
	r.Successes, r.Segments, r.Intervals = len(t.events), len(t.starts)-1, t.intervals
	m := newMiner(t, work)
	complete := m.mine(support)
	res.cut(complete == support, Mining)
	every := alternating(t)
	var parts []*region
	for _, r := range every {
		parts = append(parts, split(t, r)...)
	}
	var regions, composed, mined []*region
	var whole bool
	p := newPool(len(t.ids))
	for { // facts that were found say what further ones cost
		mined = slices.Concat(m.found, m.wide, parts, every)
		for _, r := range mined {
			r.orient()
		}
		regions, composed, whole = atomic(t, mined, work)
		chosen, _ := choose(t, regions, [3]*pool{p}, work)
		p = pools(len(t.ids), regions, chosen)[0]
		if !m.complete(p) {
			break
		}
	}
	res.cut(whole, Reduction)
	first, whole := unions(t, regions, &work)
	number := make([]int, len(first)) // of unions, which come after the regions
	for i := range first {
		number[i] = len(regions) + i
	}
	second, all := unionsOf(t, first, number, &work)
	res.cut(whole && all, Unions)
	r.Support, r.Mined, r.Atomic = complete, len(mined), len(regions)
	r.Unions = len(first) + len(second) + len(composed)
	for _, e := range every {
		for _, u := range slices.Concat(first, second) {
			if negated := sameEffects(u, e, true); negated || sameEffects(u, e, false) {
				e.also, e.negated = slices.Clone(u.members), negated
			}
		}
	}
	return slices.Concat(regions, first, second, composed), p
}

func (res *Result) cut(done bool, stage Stage) {
	if !done {
		res.Report.Cut = append(res.Report.Cut, stage)
	}
}

// operators adds an operator and a report for each action.
func (res *Result) operators(t *trace, pre *preconditions, work steps) {
	res.needs = pre.needs
	res.Report.Actions = make([]ActionReport, len(t.ids))
	blank := contexts(t)
	res.contexts = make([]context, len(t.ids))
	for a, id := range t.ids {
		res.contexts[id-1] = blank[a]
		res.Report.Refusals += len(t.refused[a])
		r := ActionReport{Action: id, Successes: len(t.occurs[a])}
		required := pre.required[a]
		if r.Successes > 0 {
			o := operator(t, a, res.regions, required)
			res.Model.Operators = append(res.Model.Operators, o)
			if pre.done {
				r.Undecided, r.Unseen = undecided(res.regions, &pre.left[a], required)
			}
		}
		for _, q := range required {
			p := Precondition{q.public(), q.Evidence, q.changes}
			r.Preconditions = append(r.Preconditions, p)
		}
		r.Refusals = refusals(t.refused[a], res.regions, required)
		res.Report.Actions[id-1] = r
	}
	res.cut(pre.done, Preconditions)
	complete(t, res.regions, pre.required, work)
	slices.SortFunc(res.Model.Operators, func(x, y strips.Operator) int {
		return int(x.Action - y.Action)
	})
	for i, o := range res.Model.Operators { // those without successes have no operator
		res.contexts[i] = res.contexts[o.Action-1]
	}
	res.contexts = res.contexts[:len(res.Model.Operators)]
	for _, r := range res.regions {
		p := PredicateReport{Nats: r.nats}
		for _, e := range r.effects {
			if e.adds {
				p.Adds += len(t.occurs[e.action])
			} else {
				p.Dels += len(t.occurs[e.action])
			}
		}
		res.Report.Predicates = append(res.Report.Predicates, p)
	}
}
