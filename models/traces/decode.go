package traces

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"stripswm/models/internal/bitset"
	"stripswm/models/strips"
)

// hypothesis is what may have happened up to now: the facts that are known and their values.
type hypothesis struct {
	known, value set
	cost         float64
	last         *step
}

// step is a reading of one attempt, after others.
type step struct {
	before *step
	reading
}

// odds are the costs of what may go wrong, in nats.
type odds struct{ label, change, refusal float64 }

// margin is how much worse than the best one a hypothesis may be, in nats, and width how many are
// kept.
const (
	margin = 12
	width  = 32
)

type decoder struct {
	*theory
	odds
	hold, fail []float64 // by predicate: the cost of finding it true, or false
	now, next  []hypothesis
	index      map[uint64]int
	best       float64
}

func newDecoder(y *theory, o odds) *decoder {
	d := &decoder{theory: y, odds: o, index: map[uint64]int{}}
	for _, s := range y.share {
		s = min(max(s, 0.02), 0.98)
		d.hold, d.fail = append(d.hold, -math.Log(s)), append(d.fail, -math.Log(1-s))
	}
	return d
}

// fits says whether the action may succeed under the hypothesis, and what that costs.
func (d *decoder) fits(h *hypothesis, r *rule) (cost float64, ok bool) {
	for i := range h.known {
		k, v := h.known[i], h.value[i]
		if k&(r.pos[i]&^v|r.neg[i]&v) != 0 {
			return 0, false
		}
		for w := r.pos[i] &^ k; w != 0; w &= w - 1 {
			cost += d.hold[i*64+bits.TrailingZeros64(w)]
		}
		for w := r.neg[i] &^ k; w != 0; w &= w - 1 {
			cost += d.fail[i*64+bits.TrailingZeros64(w)]
		}
	}
	return cost, true
}

// after is the hypothesis after the action succeeded.
func after(h *hypothesis, r *rule, into *hypothesis) {
	into.known, into.value = h.known.Clone(), h.value.Clone()
	for i := range into.known {
		into.known[i] |= r.pos[i] | r.neg[i] | r.add[i] | r.del[i]
		into.value[i] = (into.value[i]|r.pos[i])&^r.neg[i]&^r.del[i] | r.add[i]
	}
}

func hash(s ...set) uint64 {
	h := uint64(14695981039346656037)
	for _, t := range s {
		for _, w := range t {
			h = (h ^ w) * 1099511628211
			h ^= h >> 29
		}
	}
	return h
}

// push adds a hypothesis, unless one with the same facts costs less.
func (d *decoder) push(h hypothesis) {
	if h.cost > d.best+margin {
		return
	}
	d.best = min(d.best, h.cost)
	key := hash(h.known, h.value)
	if i, ok := d.index[key]; ok {
		if h.cost < d.next[i].cost {
			d.next[i] = h
		}
		return
	}
	d.index[key] = len(d.next)
	d.next = append(d.next, h)
}

// success pushes the hypothesis after an action, with so much cost more, where it fits.
func (d *decoder) success(h *hypothesis, a strips.ActionID, more float64, cut bool) {
	r := &d.rules[a-1]
	cost, ok := d.fits(h, r)
	if !ok || h.cost+cost+more > d.best+margin {
		return
	}
	n := hypothesis{cost: h.cost + cost + more}
	n.last = &step{h.last, reading{Attempt{a, Succeeded}, cut}}
	after(h, r, &n)
	d.push(n)
}

// still pushes the hypothesis without a change.
func (d *decoder) still(h *hypothesis, at Attempt, more float64, cut bool) {
	n := *h
	n.cost += more
	n.last = &step{h.last, reading{at, cut}}
	d.push(n)
}

// blocked says whether the action cannot succeed, and open whether that is not known.
func (d *decoder) blocked(h *hypothesis, r *rule) (blocked, open bool) {
	for i := range h.known {
		k, v := h.known[i], h.value[i]
		blocked = blocked || k&(r.pos[i]&^v|r.neg[i]&v) != 0
		open = open || (r.pos[i]|r.neg[i])&^k != 0
	}
	return blocked, open
}

// attempt reads one more attempt.
func (d *decoder) attempt(at Attempt) {
	d.next, d.best = d.next[:0], math.Inf(1)
	clear(d.index)
	fresh := hypothesis{bitset.New(len(d.share)), bitset.New(len(d.share)), d.now[0].cost + d.change,
		d.now[0].last}
	for i := range d.now {
		d.recorded(&d.now[i], at, false)
	}
	d.recorded(&fresh, at, true)
	wrong := d.label + math.Log(float64(len(d.rules)))
	for i := range d.now {
		h := &d.now[i]
		if h.cost+min(wrong, d.label) > d.best+margin {
			break
		}
		switch at.Outcome {
		case Succeeded:
			if h.cost+wrong > d.best+margin {
				continue
			}
			d.still(h, Attempt{Action: at.Action}, wrong, false)
			for a := range d.rules {
				if a != int(at.Action-1) {
					d.success(h, strips.ActionID(a+1), wrong, false)
				}
			}
		case Refused:
			d.success(h, at.Action, d.label, false)
		}
	}
	slices.SortStableFunc(d.next, func(x, y hypothesis) int { return cmp.Compare(x.cost, y.cost) })
	d.now, d.next = d.next, d.now
	for i := range d.now {
		if i == width || d.now[i].cost > d.now[0].cost+margin {
			d.now = d.now[:i]
			break
		}
	}
}

func (d *decoder) recorded(h *hypothesis, at Attempt, cut bool) {
	switch at.Outcome {
	case Succeeded:
		d.success(h, at.Action, 0, cut)
	case Refused:
		cost := 0.0
		if blocked, open := d.blocked(h, &d.rules[at.Action-1]); !blocked && !open {
			cost = d.refusal
		}
		d.still(h, at, cost, cut)
	case Failed:
		d.still(h, Attempt{Action: at.Action}, math.Ln2, cut)
		d.success(h, at.Action, math.Ln2, cut)
	}
}

// read returns the most likely readings of a segment.
func (d *decoder) read(segment []Attempt) []reading {
	nothing := hypothesis{known: bitset.New(len(d.share)), value: bitset.New(len(d.share))}
	d.now = append(d.now[:0], nothing)
	for _, at := range segment {
		d.attempt(at)
	}
	all := make([]reading, len(segment))
	s := d.now[0].last
	for i := len(all) - 1; i >= 0; i-- {
		all[i] = s.reading
		s = s.before
	}
	return all
}
