package regions

import (
	"slices"

	"stripswm/models/internal/bitset"
	"stripswm/models/strips"
)

// unseenNodes bounds the search for the preconditions of an action without edges.
const unseenNodes = 20000

// unseen chooses preconditions of an action without an edge: literals that no
// state where it is trusted to be inapplicable satisfies together. Some always
// exist if the codes are fewer than 2^m.
func (p *Problem) unseen(a int,
	codes []strips.State,
) (pos, neg []strips.Predicate, open bitset.Set) {
	open = bitset.New(p.states)
	var left []strips.State
	seen := map[strips.State]bool{}
	for s := range p.actions[a].missing.Each {
		if code := codes[s]; !seen[code] {
			seen[code] = true
			left = append(left, code)
		}
	}
	if len(left) == 0 {
		return nil, nil, open
	}
	u := &unseenSearch{value: map[strips.Predicate]bool{}, nodes: unseenNodes}
	greedy := halving(left, codes[0].Len())
	chosen := greedy
	for fewer := 1; fewer < len(greedy); fewer++ {
		if u.exclude(left, fewer) {
			chosen = u.value
			break
		}
		if u.nodes <= 0 {
			break
		}
	}
	for q := range strips.Predicate(codes[0].Len()) {
		if value, used := chosen[q]; used && value {
			pos = append(pos, q)
		} else if used {
			neg = append(neg, q)
		}
	}
	for s := range p.actions[a].missing.Each {
		if satisfies(codes[s], chosen) {
			open.Set(s)
		}
	}
	return pos, neg, open
}

// halving takes, again and again, the literal that fewest of the remaining codes
// satisfy, which at least halves them.
func halving(left []strips.State, m int) map[strips.Predicate]bool {
	literals := map[strips.Predicate]bool{}
	for len(left) > 0 && len(literals) < m {
		best, value, fewest := strips.Predicate(-1), false, len(left)+1
		for q := range strips.Predicate(m) {
			if _, used := literals[q]; used {
				continue
			}
			holds := len(satisfying(left, q, true))
			if holds < fewest {
				best, value, fewest = q, true, holds
			}
			if len(left)-holds < fewest {
				best, value, fewest = q, false, len(left)-holds
			}
		}
		literals[best] = value
		left = satisfying(left, best, value)
	}
	return literals
}

// unseenSearch looks for a given number of literals that exclude all codes.
type unseenSearch struct {
	value map[strips.Predicate]bool
	nodes int
}

// exclude branches over the literals that the first code left violates.
func (u *unseenSearch) exclude(left []strips.State, literals int) bool {
	if len(left) == 0 {
		return true
	}
	if u.nodes--; literals == 0 || u.nodes <= 0 {
		return false
	}
	for q := range strips.Predicate(left[0].Len()) {
		if _, used := u.value[q]; used {
			continue
		}
		value := !left[0].Get(q)
		u.value[q] = value
		if u.exclude(satisfying(left, q, value), literals-1) {
			return true
		}
		delete(u.value, q)
	}
	return false
}

func satisfying(codes []strips.State, q strips.Predicate, value bool) []strips.State {
	var out []strips.State
	for _, code := range codes {
		if code.Get(q) == value {
			out = append(out, code)
		}
	}
	return out
}

func satisfies(code strips.State, literals map[strips.Predicate]bool) bool {
	for q, value := range literals {
		if code.Get(q) != value {
			return false
		}
	}
	return true
}

// crowded says whether m predicates may leave no free vector for an action that
// was never seen; what is best for the others may then not be best for it, and
// the proofs here do not hold.
func (p *Problem) crowded(m int) bool {
	return len(p.free) > 0 && m < 62 && 1<<m <= p.states
}

// withRoom sees to actions that were never seen: the codes may leave them no
// vector to require. If m is open, a constant predicate makes room then.
func (p *Problem) withRoom(s *Solution, m int) *Solution {
	if p.crowded(len(s.regions)) {
		s.Proved = Proved{Xi: s.Proved.Xi, Predicates: s.Proved.Predicates}
		s.Bounds = Bounds{Xi: s.Bounds.Xi, Predicates: s.Bounds.Predicates}
	}
	if m > 0 || !slices.ContainsFunc(s.Model.Exceptions, func(e strips.Exception) bool {
		return p.actions[e.Action-1].sources.Empty()
	}) {
		return s
	}
	t := p.solution(s.regions, len(s.regions)+1)
	t.Bounds, t.Proved = s.Bounds, s.Proved
	t.Proved.Predicates = len(s.regions) == 0 // another cover of the old size might leave room
	t.Bounds.Predicates = max(1, s.Bounds.Predicates)
	return t
}
