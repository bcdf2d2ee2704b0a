package strips

import (
	"fmt"
	"slices"
	"strings"
)

// pddlAction is an action of a PDDL domain: an operator and further
// preconditions.
type pddlAction struct {
	name     string
	action   ActionID
	pos, neg []Predicate
}

// pddlActions lists the actions of a domain: one an operator, but in plain STRIPS
// as many as it takes to keep the operator out of the states that refuse it.
func (m *Model) pddlActions(d Dialect) []pddlAction {
	refused := make([][]State, len(m.Operators))
	if d == PositiveTwins {
		for _, r := range m.refusedStates() {
			for _, a := range r.by {
				refused[a-1] = append(refused[a-1], r.code)
			}
		}
	}
	var out []pddlAction
	taken := map[string]bool{}
	for i, op := range m.Operators {
		var free []Predicate
		for p := range Predicate(m.Predicates) {
			if !slices.Contains(op.PrePos, p) && !slices.Contains(op.PreNeg, p) {
				free = append(free, p)
			}
		}
		for k, v := range split(refused[i], free, pddlAction{action: op.Action}) {
			v.name = pddlName(op.Name)
			if len(refused[i]) > 0 {
				v.name = fmt.Sprintf("%s_v%d", v.name, k+1)
			}
			for taken[v.name] {
				v.name += "_"
			}
			taken[v.name] = true
			out = append(out, v)
		}
	}
	return out
}

// split covers the states that agree with v and are not refused by disjoint
// cubes: a binary trie over the refused codes, in which every branch without a
// refused code is a cube.
func split(refused []State, free []Predicate, v pddlAction) []pddlAction {
	if len(refused) == 0 {
		return []pddlAction{v}
	}
	if len(free) == 0 {
		return nil // v is exactly the refused state
	}
	p := free[0]
	var with, without []State
	for _, s := range refused {
		if s.Get(p) {
			with = append(with, s)
		} else {
			without = append(without, s)
		}
	}
	pos, neg := v, v
	pos.pos = append(v.pos[:len(v.pos):len(v.pos)], p)
	neg.neg = append(v.neg[:len(v.neg):len(v.neg)], p)
	return append(split(with, free[1:], pos), split(without, free[1:], neg)...)
}

// pddlName makes a PDDL name: letters, digits, - and _, a letter first.
func pddlName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		}
		return '_'
	}, name)
	if name == "" || name[0] < 'a' || name[0] > 'z' {
		name = "a" + name
	}
	return name
}
