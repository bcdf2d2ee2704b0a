package exploration

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"stripswm/bags"
	"stripswm/models/strips"
)

// state is one that the robot was in: static intervals that are seen as one, unless what was tried in them distinguishes them.
type state struct {
	name    string
	applied map[strips.ActionID]bool   // of what was tried in it
	leads   map[strips.ActionID]*state // by what applied
}

// states are those that the static intervals of a session are of. A recognizer mostly confuses a state that it never saw with another. But in
// a state a skill applies always or never, it leads to one state, and that is another.
type states struct {
	of      []*state            // each static interval
	aliased map[string][]*state // that are seen as one

	// first are the static intervals that are of the first state seen so, other those that are of another, after the rule of
	// succession: the recognizer does not say what those show. Bits is what it takes to tell which, beside what is seen.
	first, other, bits float64
}

func noStates() *states { return &states{aliased: map[string][]*state{}, first: 1, other: 1} }

// group groups static intervals by how each is seen, and by what was tried.
func (s *Session) group(seen []string) *states {
	applied, came := make([]map[strips.ActionID]bool, len(s.intervals)), make([]*try, len(s.intervals))
	for i := range applied {
		applied[i] = map[strips.ActionID]bool{}
	}
	for i := range s.tries {
		t := &s.tries[i]
		if t.outcome != bags.Failed {
			applied[t.from][t.action] = t.outcome == bags.Succeeded
		}
		if t.outcome == bags.Succeeded {
			came[t.to] = t
		}
	}
	all := noStates()
	for i := range s.intervals {
		var from *state
		var by strips.ActionID
		if came[i] != nil {
			from, by = all.of[came[i].from], came[i].action
		}
		now := all.find(seen[i], applied[i], from, by)
		for a, yes := range applied[i] {
			now.applied[a] = yes
		}
		if from != nil {
			from.leads[by] = now
		}
		all.of = append(all.of, now)
	}
	return all
}

// find is the state of a static interval that was come to from another state, or nobody knows how: where that led before, if it
// may be, else the first that is seen so and agrees, else a new one.
func (all *states) find(seen string, applied map[strips.ActionID]bool, from *state, by strips.ActionID) *state {
	aliased := all.aliased[seen]
	may := aliased
	if from != nil {
		if led := from.leads[by]; led != nil && (strings.HasSuffix(seen, unrecognizedSuffix) || slices.Contains(aliased, led)) {
			may = append([]*state{led}, aliased...)
		}
	}
	k := slices.IndexFunc(may, func(st *state) bool { return st != from && st.agrees(applied) })
	if k >= 0 {
		all.count(len(aliased), len(aliased) > 0 && may[k] == aliased[0])
		return may[k]
	}
	all.count(len(aliased), false)
	now := &state{seen, map[strips.ActionID]bool{}, map[strips.ActionID]*state{}}
	if n := len(aliased); n > 0 {
		now.name = fmt.Sprintf("%s, another %d", seen, n)
	}
	all.aliased[seen] = append(aliased, now)
	return now
}

// agrees says whether a static interval in which this was tried may be of the state.
func (st *state) agrees(applied map[strips.ActionID]bool) bool {
	for a, yes := range applied {
		if was, tried := st.applied[a]; tried && was != yes {
			return false
		}
	}
	return true
}

// count notes whether a static interval is of the first of so many states that are seen so.
func (all *states) count(aliased int, first bool) {
	sum := all.first + all.other
	switch {
	case aliased == 0: // nothing to be told
	case first:
		all.bits -= math.Log2(all.first / sum)
		all.first++
	default:
		all.bits += math.Log2(float64(aliased)) - math.Log2(all.other/sum)
		all.other++
	}
}

// aliasedShare is the share of static intervals that are expected not to be of the first state that is seen so.
func (all *states) aliasedShare() float64 { return all.other / (all.first + all.other) }
