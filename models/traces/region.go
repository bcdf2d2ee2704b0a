package traces

import "stripswm/models/internal/bitset"

// set is a set of intervals, of actions or of regions.
type set = bitset.Set

// effect is an action that changes a region.
type effect struct {
	action int
	adds   bool
}

// region is a candidate fact: the actions that add and delete it, and in which intervals it holds
// and in which it fails; in the others its value is unknown. A union has members.
type region struct {
	effects      []effect // by action
	holds, fails set
	given        []event   // which alternate whatever their order: no evidence
	members      []literal // of which it is the OR; none of a fact
	level        int       // 1 of a union of facts, 2 of a union of unions
	wide         bool      // found by widening another one
	part         bool      // of a region that was split
	group        bool      // a union that was found among those of other facts of their form
	doubt        []int     // actions after which it is unknown where it was true
	variable     int       // that shows it in images, from 1; 0: none
	shown        bool      // images show it: its actions set it whatever it was
	seenHolds    set       // intervals in which they show that it holds; nil: they are not asked
	seenFails    set
	also         []literal // of a fact: of which it is the OR, too
	negated      bool      // or of which its negation is
	nats         float64   // what it explained when it was chosen, less its price
	price        float64   // what it took to name it then
}

// literal is a region or its negation, by the region's number.
type literal struct {
	region  int
	negated bool
}

// where returns the intervals in which the literal holds, and in which it fails.
func (l literal) where(regions []*region) (holds, fails set) {
	r := regions[l.region]
	if l.negated {
		return r.fails, r.holds
	}
	return r.holds, r.fails
}

// of calls do with each literal that the region is the OR of.
func (r *region) of(do func(*literal)) {
	for _, list := range [][]literal{r.members, r.also} {
		for k := range list {
			do(&list[k])
		}
	}
}

// before returns the intervals in which the region has the value that an effect needs, and the
// others.
func (r *region) before(e effect) (holds, fails set) {
	if e.adds {
		return r.fails, r.holds
	}
	return r.holds, r.fails
}

// signs are the actions that change the region, and which of them make it true.
func (r *region) signs() (actions []int, adds map[int32]bool) {
	adds = map[int32]bool{}
	for _, e := range r.effects {
		adds[int32(e.action)] = e.adds
		actions = append(actions, e.action)
	}
	return actions, adds
}

// events are those that change the region, in order.
func (r *region) events(t *trace) (events []int32, actions []int, adds map[int32]bool) {
	actions, adds = r.signs()
	same := func(x, y int32) bool { return adds[x] == adds[y] }
	return t.cancel(t.merged(actions, nil), same), actions, adds
}

// evaluate sets the intervals: a fact that is added fails before, one that is deleted holds before.
// Between two actions that changed it together it is unknown. It is false where two events in a row
// have one sign; the value changes halfway between these.
func (r *region) evaluate(t *trace) bool {
	if r.shown {
		r.follow(t)
		if r.seenHolds != nil { // what is seen is surer than what should have happened
			r.holds.Remove(r.seenFails)
			r.fails.Remove(r.seenHolds)
			r.holds.Add(r.seenHolds)
			r.fails.Add(r.seenFails)
		}
		return true
	}
	r.holds, r.fails, r.given = bitset.New(t.intervals), bitset.New(t.intervals), nil
	alternates := true
	events, actions, adds := r.events(t)
	for i, e := range events {
		ev, segment := t.events[e], t.segment(e)
		from, to := ev.before+1, t.starts[segment+1]
		if i+1 < len(events) && t.segment(events[i+1]) == segment {
			next := t.events[events[i+1]]
			to = next.before + 1
			if adds[next.action] == adds[ev.action] { // something was not recorded between them
				alternates = false
				r.fill(!adds[next.action], (from+to)/2, to)
				to = (from + to) / 2
			}
		}
		r.fill(adds[ev.action], from, to)
		if i == 0 || t.segment(events[i-1]) != segment {
			r.fill(!adds[ev.action], t.starts[segment], from)
			r.given = append(r.given, ev)
			if t.idle(events, i) {
				r.given = append(r.given, t.events[events[i+1]])
			}
		}
	}
	if t.between == nil {
		return alternates
	}
	for _, a := range actions {
		for _, e := range t.occurs[a] {
			if ev := t.events[e]; ev.with != 0 {
				r.holds.Clear(int(ev.decided()))
				r.fails.Clear(int(ev.decided()))
			}
		}
	}
	return alternates
}

// follow sets the intervals of a region that images show: it has the value that its last action
// gave it, and before the first one of a segment none that is known, nor after one that may make it
// false.
func (r *region) follow(t *trace) {
	r.holds, r.fails = bitset.New(t.intervals), bitset.New(t.intervals)
	actions, adds := r.signs()
	doubt := map[int32]bool{}
	for _, a := range r.doubt {
		doubt[int32(a)] = true
		actions = append(actions, a)
	}
	events := t.merged(actions, nil)
	for i, e := range events {
		ev, to := t.events[e], t.starts[t.segment(e)+1]
		if i+1 < len(events) && t.segment(events[i+1]) == t.segment(e) {
			next := t.events[events[i+1]]
			to = next.before + 1 + min(next.with, 0)
		}
		if doubt[ev.action] {
			if ev.with == 0 && r.fails.Has(int(ev.before)) {
				r.fill(false, ev.before+1, to)
			}
			continue
		}
		other := e + int32(ev.with) // that changed the scene together with it, in an order nobody knows
		if value, both := adds[t.events[other].action]; ev.with == 0 ||
			ev.with < 0 && (!both || value == adds[ev.action]) {
			r.fill(adds[ev.action], ev.before+1, to)
		} else if ev.with > 0 && !both {
			r.fill(adds[ev.action], ev.before+2, to)
		}
	}
}

// orient makes the region hold less often than it fails, since "the mug is at 3" is easier to read
// than "it is anywhere else".
func (r *region) orient() {
	if r.holds.Count() <= r.fails.Count() {
		return
	}
	r.holds, r.fails = r.fails, r.holds
	for i := range r.effects {
		r.effects[i].adds = !r.effects[i].adds
	}
}

func (r *region) fill(value bool, from, to int32) {
	into := r.fails
	if value {
		into = r.holds
	}
	for i := from; i < to; i++ {
		into.Set(int(i))
	}
}

// compose gives a union its effects and intervals, and is false where the members do not exclude
// each other: an action would change the union twice in one direction, or it would not alternate. A
// value may be known from the union's own events or from the members.
func (r *region) compose(t *trace, regions []*region) bool {
	sum := make([]int, len(t.ids))
	var holds, fails set
	for i, m := range r.members {
		h, f := m.where(regions)
		if i == 0 {
			holds, fails = h.Clone(), f.Clone()
		}
		holds.Add(h)
		fails.Keep(f)
		for _, e := range regions[m.region].effects {
			if e.adds != m.negated {
				sum[e.action]++
			} else {
				sum[e.action]--
			}
		}
	}
	for a, s := range sum {
		if s < -1 || s > 1 {
			return false
		}
		if s != 0 {
			r.effects = append(r.effects, effect{a, s > 0})
		}
	}
	if len(r.effects) == 0 {
		return false
	}
	alternates := r.evaluate(t)
	if alternates {
		r.holds.Add(holds)
		r.fails.Add(fails)
		alternates = !r.holds.Meets(r.fails)
	}
	return alternates
}
