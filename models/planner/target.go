package planner

import "stripswm/models/strips"

// target is a goal that is fast to compare with: the predicates that matter, and their values.
type target struct {
	whole  bool         // all predicates matter
	values strips.State // if whole
	goal   strips.Goal
}

func newTarget(m int, goal strips.Goal) target {
	values, named := make([]bool, m), make([]bool, m)
	count := 0
	for _, l := range goal {
		values[l.Predicate] = !l.Negated
		if !named[l.Predicate] {
			named[l.Predicate] = true
			count++
		}
	}
	return target{count == m, strips.StateOf(values), goal}
}

func (t *target) holds(s strips.State) bool {
	if t.whole {
		return s == t.values
	}
	for _, l := range t.goal {
		if !l.Holds(s) {
			return false
		}
	}
	return true
}

// wrong counts the literals that do not hold.
func (t *target) wrong(s strips.State) int {
	if t.whole {
		return s.Distance(t.values)
	}
	n := 0
	for _, l := range t.goal {
		if !l.Holds(s) {
			n++
		}
	}
	return n
}
