package exploration

import (
	"fmt"
	"math"
	"slices"

	"stripswm/bags"
	"stripswm/models/strips"
)

// state is a state of the world: the static intervals with one label that no attempt separates.
type state struct {
	name    string
	applied map[strips.ActionID]bool   // of what was tried in it: whether it applied
	leads   map[strips.ActionID]*state // where what applied led to
}

// states are the states of a session's static intervals. An encoder mostly gives a state that it
// never saw the code of another state. But in one state a skill always applies or never, it leads
// to one state, and that is another state.
type states struct {
	of      []*state           // of each static interval
	labeled map[label][]*state // by label

	// first counts the static intervals that are the first state of their label, other the others,
	// each plus one (rule of succession). bits is the length of a message that says which they are.
	first, other, bits float64
}

func noStates() *states { return &states{labeled: map[label][]*state{}, first: 1, other: 1} }

// group groups static intervals by label and by what was tried in them.
func (s *Session) group(labels []label) *states {
	applied := make([]map[strips.ActionID]bool, len(s.intervals))
	came := make([]*try, len(s.intervals))
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
		now := all.find(labels[i], applied[i], from, by)
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

// find is the state of a static interval that a skill led to from another state (nil: unknown). It
// is the state that the skill led to before, if that is possible, else the first of its label that
// agrees with the attempts, else a new one.
func (all *states) find(l label, applied map[strips.ActionID]bool, from *state, by strips.ActionID,
) *state {
	same := all.labeled[l]
	candidates := same
	if from != nil {
		if led := from.leads[by]; led != nil && (l.refused || slices.Contains(same, led)) {
			candidates = append([]*state{led}, same...)
		}
	}
	k := slices.IndexFunc(candidates, func(st *state) bool { return st != from && st.agrees(applied) })
	if k >= 0 {
		all.count(len(same), len(same) > 0 && candidates[k] == same[0])
		return candidates[k]
	}
	all.count(len(same), false)
	now := &state{l.name, map[strips.ActionID]bool{}, map[strips.ActionID]*state{}}
	if n := len(same); n > 0 {
		now.name = fmt.Sprintf("%s, another %d", l.name, n)
	}
	all.labeled[l] = append(same, now)
	return now
}

// agrees says whether a static interval with these attempts may be of the state.
func (st *state) agrees(applied map[strips.ActionID]bool) bool {
	for a, yes := range applied {
		if was, tried := st.applied[a]; tried && was != yes {
			return false
		}
	}
	return true
}

// count counts a static interval whose label has n states: the first of them, or another.
func (all *states) count(n int, first bool) {
	sum := all.first + all.other
	switch {
	case n == 0:
	case first:
		all.bits -= math.Log2(all.first / sum)
		all.first++
	default:
		all.bits += math.Log2(float64(n)) - math.Log2(all.other/sum)
		all.other++
	}
}

// aliased is the expected share of static intervals that are not the first state of their label.
func (all *states) aliased() float64 { return all.other / (all.first + all.other) }
