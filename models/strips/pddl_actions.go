package strips

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// pddlAction is an action of a PDDL domain: an operator, and where it is allowed
// beyond its preconditions.
type pddlAction struct {
	name string
	op   *Operator
	cube        // further preconditions
	not  []cube // none of which may hold: where another operator of the action disagrees
}

// maxPDDLActions bounds what plain STRIPS may take to say the same.
const maxPDDLActions = 10_000

// ErrPDDLActions is returned where a domain of plain STRIPS would have more than
// ten thousand actions: toggles and operators that overlap multiply them.
var ErrPDDLActions = errors.New(
	"more than 10000 actions in plain STRIPS: write the dialect with negative preconditions")

// pddlActions lists the actions of a domain: one an operator, but in plain STRIPS
// as many as it takes to keep the operator out of the states that refuse it, and
// to fix what it toggles. An operator that others contradict everywhere has none.
func (m *Model) pddlActions(d Dialect) ([]pddlAction, error) {
	refused := m.refusedStates()
	var out []pddlAction
	taken := map[string]bool{}
	for a := range ActionID(m.Actions()) {
		variants := m.Variants(a + 1)
		for i := range variants {
			op := &variants[i]
			base := pddlName(op.Name)
			if len(variants) > 1 {
				base = fmt.Sprintf("%s__v%d", base, i+1)
			}
			not := clashes(variants, op)
			if d == NegativePreconditions {
				if !slices.ContainsFunc(not, cube.everything) {
					out = append(out, pddlAction{name: free(taken, base), op: op, not: not})
				}
				continue
			}
			for _, r := range refused {
				if slices.Contains(r.by, op.Action) && op.Applicable(r.code) {
					not = append(not, op.beyond(cube{r.code.holding(), r.code.lacking()}))
				}
			}
			s := splitter{op: op, room: maxPDDLActions - len(out)}
			s.split(not, cube{})
			if s.room < 0 {
				return nil, fmt.Errorf("pddl: %s: %w", op.Name, ErrPDDLActions)
			}
			for k, part := range s.parts {
				name := base
				if len(not)+len(op.freeToggles()) > 0 {
					name = fmt.Sprintf("%s_v%d", base, k+1)
				}
				out = append(out, pddlAction{name: free(taken, name), op: op, cube: part})
			}
		}
	}
	return out, nil
}

// free is a name that is not taken, and takes it.
func free(taken map[string]bool, name string) string {
	for taken[name] {
		name += "_"
	}
	taken[name] = true
	return name
}

// splitter covers the states where an operator is allowed by disjoint cubes, in
// each of which it is known what is toggled: a binary trie over the predicates
// that matter.
type splitter struct {
	op    *Operator
	parts []cube
	room  int // for further parts
}

// split covers what is in a cube and in none of those that are refused, which
// speak of further predicates only.
func (s *splitter) split(refused []cube, in cube) {
	if s.room < 0 || slices.ContainsFunc(refused, cube.everything) {
		return
	}
	p, some := s.next(refused, in)
	if !some {
		s.parts = append(s.parts, in)
		s.room--
		return
	}
	for _, holds := range []bool{true, false} {
		var left []cube
		for _, r := range refused {
			if rest, meets := r.where(p, holds); meets {
				left = append(left, rest)
			}
		}
		s.split(left, in.and(p, holds))
	}
}

// next is the predicate to branch on: the first of the smallest refused cube, or
// one that is toggled and not fixed.
func (s *splitter) next(refused []cube, in cube) (Predicate, bool) {
	if len(refused) > 0 {
		least := slices.MinFunc(refused, func(a, b cube) int { return a.size() - b.size() })
		return slices.Min(slices.Concat(least.pos, least.neg)), true
	}
	for _, p := range s.op.freeToggles() {
		if !slices.Contains(in.pos, p) && !slices.Contains(in.neg, p) {
			return p, true
		}
	}
	return 0, false
}

// freeToggles are the toggled predicates that no precondition fixes.
func (o *Operator) freeToggles() (list []Predicate) {
	for _, p := range o.Toggle {
		if !slices.Contains(o.PrePos, p) && !slices.Contains(o.PreNeg, p) {
			list = append(list, p)
		}
	}
	return list
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
