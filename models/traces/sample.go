package traces

import (
	"math"
	"math/rand/v2"
	"slices"

	"stripswm/models/strips"
)

// Sample draws operators of a world that the attempts allow. They have the effects of the model's
// operators. Each needs a literal with the probability that follows from the evidence beside the
// other literals that it needs, less the price: one round of Gibbs sampling that begins with the
// model's preconditions. The price is that of the model, but for predicates that an action changes,
// the others that change them are counted, too.
func (r *Result) Sample(rng *rand.Rand) []strips.Operator {
	all := slices.Clone(r.Model.Operators)
	required := make([][]literal, len(all))
	changed := &needs{actions: r.needs.actions, regions: len(r.regions), of: map[need]int{},
		undo: r.needs.undo, kin: [][]bool{make([]bool, len(r.regions))},
		kins: make([]int, len(r.regions))}
	for i := range all {
		for _, q := range all[i].PrePos {
			required[i] = append(required[i], literal{int(q), false})
		}
		for _, q := range all[i].PreNeg {
			required[i] = append(required[i], literal{int(q), true})
		}
		for _, l := range required[i] {
			if changes(&all[i], l) {
				changed.of[need{literal: l}]++
			}
		}
	}
	for i := range all {
		o := &all[i]
		d := draw{r.regions, &r.contexts[i], required[i]}
		d.round(rng, func(l literal) float64 {
			if changes(o, l) {
				return changed.price(0, l, 0)
			}
			others := 0
			for _, x := range d.needs {
				if x != l && !changes(o, x) {
					others++
				}
			}
			return r.needs.price(r.contexts[i].action, l, others)
		})
		o.PrePos, o.PreNeg = nil, nil
		for _, l := range d.needs {
			if q := strips.Predicate(l.region); l.negated {
				o.PreNeg = append(o.PreNeg, q)
			} else {
				o.PrePos = append(o.PrePos, q)
			}
		}
	}
	return all
}

// changes says whether the operator changes the predicate.
func changes(o *strips.Operator, l literal) bool {
	q := strips.Predicate(l.region)
	return slices.Contains(o.Add, q) || slices.Contains(o.Del, q)
}

// draw is what an action needs in a world.
type draw struct {
	regions []*region
	all     *context // without preconditions
	needs   []literal
}

// rest is the context that the literals leave.
func (d *draw) rest() *context {
	c := *d.all
	for _, l := range d.needs {
		c.require(l.where(d.regions))
	}
	return &c
}

// round draws each literal once, in random order.
func (d *draw) round(rng *rand.Rand, price func(literal) float64) {
	now := d.rest()
	for _, k := range rng.Perm(2 * len(d.regions)) {
		l := literal{k / 2, k%2 == 1}
		if slices.Contains(d.needs, literal{l.region, !l.negated}) {
			continue
		}
		at, rest := slices.Index(d.needs, l), now
		if at >= 0 {
			d.needs = slices.Delete(d.needs, at, at+1)
			rest = d.rest()
		}
		e, possible := rest.weigh(l.where(d.regions))
		if !possible || rng.Float64() >= 1/(1+math.Exp(price(l)-e.Nats)) {
			now = rest
			continue
		}
		if d.needs = append(d.needs, l); at < 0 {
			now = d.rest()
		}
	}
}
