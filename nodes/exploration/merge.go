package exploration

import (
	"slices"

	"stripswm/bags"
	"stripswm/models/strips"
)

// stateAction is a skill that led on from a state.
type stateAction struct {
	from *state
	by   strips.ActionID
}

// merge merges two states with different codes if the same skill led from one state to both, and
// no attempt distinguishes them. A recognizer that learned from few images gives a state several
// codes. It begins with the pair to which the most transitions led.
func (all *states) merge(tries []try) {
	for {
		kept, gone := all.same(tries)
		if kept == nil {
			return
		}
		for a, yes := range gone.applied {
			kept.applied[a] = yes
		}
		for i, st := range all.of {
			if st == gone {
				all.of[i] = kept
			}
		}
	}
}

// same are two states that are one; nil where none are.
func (all *states) same(tries []try) (kept, gone *state) {
	led := map[stateAction][]*state{} // to where, in the order of the attempts
	distinct := map[[2]*state]bool{}  // a skill leads to another state
	for _, t := range tries {
		if t.outcome != bags.Succeeded {
			continue
		}
		w, to := stateAction{all.of[t.from], t.action}, all.of[t.to]
		distinct[[2]*state{w.from, to}], distinct[[2]*state{to, w.from}] = true, true
		if !slices.Contains(led[w], to) {
			led[w] = append(led[w], to)
		}
	}
	shared, most := map[[2]*state]int{}, 0
	for _, t := range tries {
		w := stateAction{all.of[t.from], t.action}
		for i, b := range led[w] {
			for _, a := range led[w][:i] {
				pair := [2]*state{a, b}
				if distinct[pair] || !a.agrees(b.applied) {
					continue
				}
				if shared[pair]++; shared[pair] > most {
					most, kept, gone = shared[pair], a, b
				}
			}
		}
		delete(led, w) // counted
	}
	return kept, gone
}
