package policy

import (
	"context"
	"slices"

	"stripswm/models/strips"
)

// Next chooses at a node: the pair that is worth most, at its odds, over the attempts that it takes
// to get there and make it.
func (c *Chooser) Next(ctx context.Context, at string) (Choice, error) {
	if err := c.relearn(ctx); err != nil {
		return Choice{}, err
	}
	from, known := c.memory.ids[at]
	if !known {
		return c.anywhere(at)
	}
	o := &offers{Chooser: c, from: from}
	o.steps, o.first, o.order = c.memory.paths(o.from, c.applies(o.from))
	reach := c.reachability()
	for _, s := range o.order {
		if c.inside(s) {
			c.untried(s, func(p pair) { o.trial(p, c.worth(reach, p)) })
		}
	}
	home := slices.IndexFunc(o.order, c.inside)
	switch {
	case o.value > 0:
		return o.best, nil
	case home > 0: // back into the region, by what is known
		s := o.order[home]
		return Choice{Action: o.first[s], Kind: Move, At: c.memory.codes[s], Steps: o.steps[s]}, nil
	case home == 0 && reach.to[o.from].Count() == c.region():
		return o.check(home)
	}
	// Outside, and where there is no path on to all of the region: first what is said to lead into it.
	for _, any := range []bool{false, true} {
		for _, s := range o.order {
			c.untried(s, func(p pair) {
				if _, outside, told := c.predicted(p); any || told && !outside {
					o.trial(p, 1)
				}
			})
		}
		if o.value > 0 {
			return o.best, nil
		}
	}
	return o.check(home)
}

// anywhere chooses where nothing is known of the state, not even that there is one: the skill that
// applies most.
func (c *Chooser) anywhere(at string) (Choice, error) {
	best, ties := Choice{Kind: Trial, At: at}, 0
	for a := range c.actions() {
		rate := c.memory.rateOf(a)
		if rate > best.Odds {
			best.Action, best.Odds, ties = a, rate, 1
		} else if ties++; rate == best.Odds && c.rng.IntN(ties) == 0 {
			best.Action = a
		}
	}
	if best.Action == 0 {
		return Choice{}, ErrStuck // all are excluded
	}
	best.Trial = best.Action
	return best, nil
}

// offers are pairs to choose from at a node, of which the best is kept; of several, any.
type offers struct {
	*Chooser
	from  strips.StateID
	steps map[strips.StateID]int
	first map[strips.StateID]strips.ActionID
	order []strips.StateID

	best  Choice
	value float64
	ties  int
}

// trial offers a pair that was never tried.
func (o *offers) trial(p pair, worth float64) {
	odds := o.calibration.odds(o.features(p))
	o.offer(p, Trial, odds, odds*worth)
}

// check offers all pairs that were tried, within the region if that can be reached, and chooses.
func (o *offers) check(home int) (Choice, error) {
	if len(o.order) == 1 && len(o.memory.out[o.from]) == 0 {
		return Choice{}, ErrStuck
	}
	for _, s := range o.order {
		if !o.inside(s) && home >= 0 {
			continue
		}
		for a := range o.actions() {
			p := pair{s, a}
			odds := o.calibration.odds(o.features(p))
			o.offer(p, Check, odds, o.surprise(p, odds))
		}
	}
	if o.value == 0 {
		return Choice{}, ErrStuck
	}
	return o.best, nil
}

// offer weighs what a pair is worth against the attempts that it takes.
func (o *offers) offer(p pair, kind Kind, odds, worth float64) {
	if p.state == o.from && o.here[p.action] {
		return
	}
	v := worth / float64(1+o.steps[p.state])
	switch {
	case v < o.value || v == 0:
		return
	case v > o.value:
		o.value, o.ties = v, 1
	default:
		if o.ties++; o.rng.IntN(o.ties) > 0 {
			return
		}
	}
	o.best = Choice{Action: p.action, Kind: kind, At: o.memory.codes[p.state], Trial: p.action,
		Steps: o.steps[p.state], Odds: odds}
	if p.state != o.from {
		o.best.Action, o.best.Kind = o.first[p.state], Move
	}
}
