package exploration

import (
	"slices"

	"stripswm/bags"
	"stripswm/models/strips"
)

// exit is a skill that led from a state to another.
type exit struct {
	from *state
	by   strips.ActionID
}

// merge merges states with different labels if the same skill led from one state to both, and no
// attempt separates them: a recognizer that learned from few attempts gives a state several codes.
// Pairs with the most exits in common come first.
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

// same are two states to merge; nil if there are none.
func (all *states) same(tries []try) (kept, gone *state) {
	led := map[exit][]*state{}       // where to, in the order of the attempts
	distinct := map[[2]*state]bool{} // a skill leads to another state
	for _, t := range tries {
		if t.outcome != bags.Succeeded {
			continue
		}
		w, to := exit{all.of[t.from], t.action}, all.of[t.to]
		distinct[[2]*state{w.from, to}], distinct[[2]*state{to, w.from}] = true, true
		if !slices.Contains(led[w], to) {
			led[w] = append(led[w], to)
		}
	}
	exits, most := map[[2]*state]int{}, 0
	for _, t := range tries {
		w := exit{all.of[t.from], t.action}
		for i, b := range led[w] {
			for _, a := range led[w][:i] {
				pair := [2]*state{a, b}
				if distinct[pair] || !a.agrees(b.applied) {
					continue
				}
				if exits[pair]++; exits[pair] > most {
					most, kept, gone = exits[pair], a, b
				}
			}
		}
		delete(led, w) // counted
	}
	return kept, gone
}
