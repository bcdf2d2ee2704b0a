package strips

import (
	"fmt"
	"strings"
)

// variant is an action of the PDDL domain: an operator and the extra
// preconditions that keep it out of the refused states.
type variant struct {
	name     string
	action   ActionID
	pos, neg []Predicate
}

// variants lists the PDDL actions. An operator without refusals has one.
func (m *Model) variants() []variant {
	refused := make([][]State, len(m.Operators))
	known := map[Refusal]bool{}
	all := m.Refusals()
	for _, e := range m.Exceptions { // in the order of the model, not of the map
		code, _ := m.Code(e.Node)
		r := Refusal{code, e.Action}
		if all[r] && !known[r] && m.Operators[e.Action-1].Applicable(code) {
			known[r] = true
			refused[e.Action-1] = append(refused[e.Action-1], code)
		}
	}
	var out []variant
	taken := map[string]bool{}
	for i, op := range m.Operators {
		fixed := map[Predicate]bool{}
		for _, p := range op.PrePos {
			fixed[p] = true
		}
		for _, p := range op.PreNeg {
			fixed[p] = true
		}
		var free []Predicate
		for p := range Predicate(m.Predicates) {
			if !fixed[p] {
				free = append(free, p)
			}
		}
		cubes := split(refused[i], free, variant{action: op.Action})
		for k, v := range cubes {
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
func split(refused []State, free []Predicate, v variant) []variant {
	if len(refused) == 0 {
		return []variant{v}
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
