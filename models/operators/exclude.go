package operators

import (
	"slices"

	"stripswm/models/strips"
)

// excludeEachOther gives the variants of an action preconditions by which no two
// apply in one state, also one that was never seen, where a single predicate does
// that: one that holds in all sources of the one and in none of the other. It
// returns how many preconditions that took.
func (p *split) excludeEachOther(m *strips.Model) (added int) {
	sources := make([][]strips.State, len(m.Operators))
	for _, e := range p.graph.Edges {
		sources[e.Action-1] = append(sources[e.Action-1], m.States[e.Source].Code)
	}
	for i := range m.Operators {
		for j := range i {
			one, other := &m.Operators[i], &m.Operators[j]
			if one.Action != other.Action || one.Excludes(other) {
				continue
			}
			best, cost := strips.Predicate(-1), 3
			for q := range strips.Predicate(m.Predicates) {
				with, without := constant(sources[i], q), constant(sources[j], q)
				if with*without != -1 {
					continue
				}
				need := missing(one, q, with) + missing(other, q, without)
				if need < cost {
					best, cost = q, need
				}
			}
			if best >= 0 {
				require(one, best, constant(sources[i], best))
				require(other, best, constant(sources[j], best))
				added += cost
			}
		}
	}
	return added
}

// constant is +1 if a predicate holds in all states, -1 if in none, otherwise 0.
func constant(states []strips.State, q strips.Predicate) int {
	value := 0
	for i, s := range states {
		sign := -1
		if s.Get(q) {
			sign = 1
		}
		if i > 0 && sign != value {
			return 0
		}
		value = sign
	}
	return value
}

// missing is 1 if an operator has no precondition on a predicate.
func missing(o *strips.Operator, q strips.Predicate, value int) int {
	if value > 0 && slices.Contains(o.PrePos, q) || value < 0 && slices.Contains(o.PreNeg, q) {
		return 0
	}
	return 1
}

// require adds a precondition.
func require(o *strips.Operator, q strips.Predicate, value int) {
	list := &o.PrePos
	if value < 0 {
		list = &o.PreNeg
	}
	if at, has := slices.BinarySearch(*list, q); !has {
		*list = slices.Insert(*list, at, q)
	}
}
