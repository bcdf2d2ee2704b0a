package planner

import (
	"slices"

	"stripswm/models/strips"
)

// exclusive lists the pairs of literals of the goal that never hold together in a state reached
// from s, as far as pairs of literals prove it (h^2, Haslum and Geffner 2000). Time: passes x
// operators x literals x preconditions; memory: literals squared.
func (r *relaxed) exclusive(s strips.State, goal strips.Goal) (pairs [][2]strips.Literal) {
	n := len(r.value)
	together := make([]bool, n*n)
	changed := true
	reach := func(a, b int32) {
		if !together[int(a)*n+int(b)] && (a^1 != b || a >= r.always()) {
			together[int(a)*n+int(b)], together[int(b)*n+int(a)] = true, true
			changed = true
		}
	}
	with := func(q int32, pre []int32) bool {
		return !slices.ContainsFunc(pre, func(p int32) bool { return !together[int(p)*n+int(q)] })
	}
	var start []int32
	r.holding(s, func(l int32) { start = append(start, l) })
	for _, a := range start {
		for _, b := range start {
			reach(a, b)
		}
	}
	for changed {
		changed = false
		for o := range len(r.pre) - 1 { // the last is the goal
			pre, add := r.pre[o], r.add[o]
			if slices.ContainsFunc(pre, func(p int32) bool { return !with(p, pre) }) {
				continue
			}
			for _, a := range add {
				for _, b := range add {
					reach(a, b)
				}
			}
			for q := range r.goal() {
				kept := !slices.Contains(add, q) && (q >= r.always() || !slices.Contains(add, q^1))
				if kept && with(q, pre) {
					for _, a := range add {
						reach(a, q)
					}
				}
			}
		}
	}
	for i, a := range goal {
		for _, b := range goal[:i] {
			if !with(literal(a.Predicate, a.Negated), []int32{literal(b.Predicate, b.Negated)}) {
				pairs = append(pairs, [2]strips.Literal{b, a})
			}
		}
	}
	return pairs
}
