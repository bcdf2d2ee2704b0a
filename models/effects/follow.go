package effects

import (
	"context"
	"math"
)

// meeting is what a skill does with the effect of a part.
type meeting struct {
	on     sample  // responses to its changes while the effect was on
	off    sample  // and while it was off
	like   sample  // likenesses of these
	undoes float64 // evidence that it always undoes the effect, against never, in nats
	mixed  float64 // that it does so sometimes, against the better of these
	brings float64 // that it always brings the effect, against never
	equal  float64 // that what it changes while the effect is off is the same change, against another
}

// followRounds is how often effects are followed, each time with what was learned before of who
// undoes them.
const followRounds = 3

// follow follows a part's effect through the recording, and returns by skill what it does with it.
func (c *changes) follow(ctx context.Context, p *part) ([]meeting, error) {
	all := make([]meeting, len(c.skills))
	for range followRounds {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		c.walk(p, all)
		for k := range all {
			all[k].weigh(p)
		}
	}
	for k := range all {
		all[k].compare(p)
	}
	return all, nil
}

// effect says how surely an effect is on and off; what is missing to 1 is unknown.
type effect struct{ on, off float64 }

// walk collects the responses to what each skill changes while the effect is on, and while it is
// off.
func (c *changes) walk(p *part, all []meeting) {
	for k := range all {
		all[k].on, all[k].off, all[k].like = sample{}, sample{}, sample{}
	}
	var now effect
	p.time = 0
	for i, at := range c.attempts {
		if i > 0 && c.attempts[i-1].Segment != at.Segment {
			now = effect{}
		}
		if b := c.between[i]; b >= 0 {
			now.goes(p.share(float64(p.response[b]), wrongShare))
		}
		p.time += now.on / float64(len(c.attempts))
		if !at.Succeeded {
			continue
		}
		k, during := c.skill[i], c.during[i]
		if during >= 0 {
			all[k].on.add(float64(p.response[during]), now.on)
			all[k].off.add(float64(p.response[during]), now.off)
			all[k].like.add(float64(p.likeness[during]), now.off)
		}
		if k == p.skill {
			now = now.set(p, during)
			continue
		}
		goes := all[k].goes()
		if during >= 0 {
			goes = p.share(float64(p.response[during]), goes)
		}
		now.goes(goes)
	}
}

// goes is how probably the effect goes at a success while it is on.
func (m *meeting) goes() float64 { return (1-2*wrongShare)*logistic(m.undoes) + wrongShare }

// share is how probably a change with this response is one at which the effect goes, where so many
// are.
func (p *part) share(response, before float64) float64 {
	return logistic(logMix(response+1, p.own) - logMix(response, p.still) +
		math.Log(before/(1-before)))
}

// goes is what becomes of an effect that goes with this probability.
func (e *effect) goes(share float64) {
	e.on, e.off = e.on*(1-share), e.off+e.on*share
}

// set is the effect after a success of its own skill, whose label may be wrong.
func (e effect) set(p *part, during int) effect {
	if during < 0 {
		return effect{on: 1 - wrongShare}
	}
	response := float64(p.response[during])
	unknown := 1 - e.on - e.off
	right := (1 - wrongShare) * ((e.on+unknown/2)*math.Exp(logMix(response, p.still)) +
		(e.off+unknown/2)*math.Exp(logMix(response-1, p.own)))
	return effect{on: right / (right + wrongShare/spanned)}
}

// weigh measures whether the skill undoes the effect.
func (m *meeting) weigh(p *part) {
	m.undoes = m.on.always(p, -1) - m.on.never(p)
}

// compare measures the rest, once all attempts are followed as they are to be.
func (m *meeting) compare(p *part) {
	some := m.on.mixture(func(v float64) float64 { return logMix(v+1, p.own) },
		func(v float64) float64 { return logMix(v, p.still) })
	m.mixed = some - max(m.on.always(p, -1), m.on.never(p))
	m.brings = m.off.always(p, 1) - m.off.never(p)
	m.equal = m.like.around(biases(1, alikeBias), normal(1, alikeBias), p.alike) -
		m.like.around(grid(-0.4, 1.4, 0.1), normal(0.5, 0.3), p.alike)
}

// always is the log likelihood of responses of a skill that always does something of this mean, and
// never of one that never does.
func (s *sample) always(p *part, mean float64) float64 {
	return s.around(biases(mean, bias), normal(mean, bias), p.own)
}

func (s *sample) never(p *part) float64 {
	return s.around(biases(0, bias), normal(0, bias), p.still)
}

// biases are means around one, to three standard deviations.
func biases(mean, deviation float64) []float64 {
	return grid(mean-3*deviation, mean+3*deviation, deviation)
}
