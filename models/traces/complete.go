package traces

import "stripswm/models/internal/bitset"

// complete infers values that no event of the segment tells: the preconditions of a success hold
// before it, at most one member of a derived predicate holds and its value is their OR, and what an
// action does not change stays. Values that events tell are never changed. It goes forward and
// backward through the segments until nothing follows any more, or the work ends.
func complete(t *trace, regions []*region, required [][]requirement, work steps) {
	known := 0
	for _, r := range regions {
		known += r.holds.Count() + r.fails.Count()
	}
	if known == len(regions)*t.intervals {
		return
	}
	changes := make([]set, len(t.ids)) // by action: the regions that it changes
	for a := range changes {
		changes[a] = bitset.New(len(regions))
	}
	for i, r := range regions {
		for _, e := range r.effects {
			changes[e.action].Set(i)
		}
		for _, a := range r.doubt {
			changes[a].Set(i)
		}
	}
	changed := func(e int) set { // by an event, and by the one that changed the scene together with it
		c := changes[t.events[e].action]
		if with := t.events[e].with; with != 0 {
			c = c.Clone()
			c.Add(changes[t.events[e+int(with)].action])
		}
		return c
	}
	v := values{regions, true}
	for v.changed && work.spend(2*t.intervals*len(regions)) {
		v.changed = false
		for e, ev := range t.events {
			for _, q := range required[ev.action] {
				if ev.with == 0 || !changed(e).Has(q.region) {
					v.set(q.literal, int(ev.decided()))
				}
			}
			v.exclude(int(ev.before))
			v.keep(int(ev.before), int(ev.before)+1, changed(e))
			v.exclude(int(ev.before) + 1)
		}
		for e := len(t.events) - 1; e >= 0; e-- {
			ev := t.events[e]
			v.keep(int(ev.before)+1, int(ev.before), changed(e))
			v.exclude(int(ev.before))
		}
	}
}

// values are those of regions, and whether one was inferred.
type values struct {
	regions []*region
	changed bool
}

// set makes a literal true in an interval, if its value is unknown.
func (v *values) set(l literal, interval int) {
	holds, fails := l.where(v.regions)
	if !holds.Has(interval) && !fails.Has(interval) {
		holds.Set(interval)
		v.changed = true
	}
}

// keep gives an interval the values of a neighbour, but for those that the action between changes.
func (v *values) keep(from, to int, changes set) {
	for p, r := range v.regions {
		if r.holds.Has(to) || r.fails.Has(to) || changes.Has(p) {
			continue
		}
		if r.holds.Has(from) {
			v.set(literal{p, false}, to)
		} else if r.fails.Has(from) {
			v.set(literal{p, true}, to)
		}
	}
}

// exclude infers values of derived predicates and their members from each other.
func (v *values) exclude(interval int) {
	for p, r := range v.regions {
		self, members := literal{p, r.negated}, r.members
		if members == nil {
			members = r.also
		}
		is, isNot := self.where(v.regions)
		open, last, hold := 0, literal{}, false
		for _, m := range members {
			holds, fails := m.where(v.regions)
			hold = hold || holds.Has(interval)
			if !holds.Has(interval) && !fails.Has(interval) {
				open++
				last = m
			}
		}
		switch {
		case members == nil || open == 0 && (is.Has(interval) || isNot.Has(interval)):
		case hold || isNot.Has(interval):
			v.set(literal{p, hold == r.negated}, interval)
			for _, m := range members {
				v.set(literal{m.region, !m.negated}, interval)
			}
		case open == 0:
			v.set(literal{p, !r.negated}, interval)
		case open == 1 && is.Has(interval):
			v.set(last, interval)
		}
	}
}
