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

// cube is the set of states in which the predicates of pos hold and those of neg
// do not.
type cube struct{ pos, neg []Predicate }

func (c cube) size() int        { return len(c.pos) + len(c.neg) }
func (c cube) everything() bool { return c.size() == 0 }

// and is the part of c where p has a value; c says nothing of p.
func (c cube) and(p Predicate, holds bool) cube {
	if holds {
		c.pos = append(slices.Clone(c.pos), p)
	} else {
		c.neg = append(slices.Clone(c.neg), p)
	}
	return c
}

// where is what c asks of the other predicates where p has a value, and false if
// c asks for the other value.
func (c cube) where(p Predicate, holds bool) (rest cube, meets bool) {
	without := func(mask []Predicate) []Predicate {
		return slices.DeleteFunc(slices.Clone(mask), func(q Predicate) bool { return q == p })
	}
	if holds && slices.Contains(c.neg, p) || !holds && slices.Contains(c.pos, p) {
		return cube{}, false
	}
	return cube{without(c.pos), without(c.neg)}, true
}

// beyond is what a cube that the preconditions meet asks for beyond them.
func (o *Operator) beyond(c cube) cube {
	unless := func(mask, known []Predicate) []Predicate {
		return slices.DeleteFunc(slices.Clone(mask), func(p Predicate) bool {
			return slices.Contains(known, p)
		})
	}
	return cube{unless(c.pos, o.PrePos), unless(c.neg, o.PreNeg)}
}

// clashes are the states in which another operator of the same action applies
// beside this one and leads elsewhere, as cubes beyond its preconditions.
func clashes(variants []Operator, op *Operator) (list []cube) {
	for i := range variants {
		other := &variants[i]
		if other != op && !op.Excludes(other) {
			list = append(list, op.disagreement(other)...)
		}
	}
	return list
}

// disagreement are the states in which both operators apply and lead to different
// states, as cubes beyond the preconditions of the first.
func (o *Operator) disagreement(other *Operator) (parts []cube) {
	both := o.beyond(cube{other.PrePos, other.PreNeg})
	for _, p := range changed(o, other) {
		x, y := o.to(p), other.to(p)
		holds := slices.Contains(o.PrePos, p) || slices.Contains(both.pos, p)
		lacks := slices.Contains(o.PreNeg, p) || slices.Contains(both.neg, p)
		ifHolds, ifLacks := x[1] != y[1] && !lacks, x[0] != y[0] && !holds
		switch {
		case ifHolds && (ifLacks || holds), ifLacks && lacks:
			return []cube{both}
		case ifHolds:
			parts = append(parts, both.and(p, true))
		case ifLacks:
			parts = append(parts, both.and(p, false))
		}
	}
	return parts
}

// to is what an operator makes of a predicate that is false, and of one that is
// true.
func (o *Operator) to(p Predicate) [2]bool {
	switch {
	case slices.Contains(o.Add, p):
		return [2]bool{true, true}
	case slices.Contains(o.Del, p):
		return [2]bool{false, false}
	case slices.Contains(o.Toggle, p):
		return [2]bool{true, false}
	}
	return [2]bool{false, true}
}

// changed are the predicates that one of two operators may change, ascending.
func changed(a, b *Operator) []Predicate {
	list := slices.Concat(a.Add, a.Del, a.Toggle, b.Add, b.Del, b.Toggle)
	slices.Sort(list)
	return slices.Compact(list)
}

// Disputed lists where another operator of the same action applies beside operator i and leads
// elsewhere, so that the model does not know what the action does: conjunctions of literals that it
// does not need, none of which may hold. An empty one holds wherever the operator applies.
func (m *Model) Disputed(i int) (all [][]Literal) {
	for _, c := range clashes(m.Variants(m.Operators[i].Action), &m.Operators[i]) {
		conjunction := []Literal{}
		for _, p := range c.pos {
			conjunction = append(conjunction, Literal{Predicate: p})
		}
		for _, p := range c.neg {
			conjunction = append(conjunction, Literal{Predicate: p, Negated: true})
		}
		all = append(all, conjunction)
	}
	return all
}

// refusedState is a predicate state in which the model refuses actions whose
// preconditions hold.
type refusedState struct {
	code State
	node StateID // the first with this code
	by   []ActionID
}

// refusedStates lists them in the order of the exceptions, then of the nondeterministic outcomes
// and of the untried pairs.
func (m *Model) refusedStates() []refusedState {
	var list []refusedState
	position := map[State]int{}
	refuse := func(node StateID, a ActionID) {
		code, _ := m.Code(node)
		if !slices.ContainsFunc(m.Variants(a), func(o Operator) bool { return o.Applicable(code) }) {
			return // by preconditions already
		}
		i, seen := position[code]
		if !seen {
			i = len(list)
			position[code] = i
			list = append(list, refusedState{code: code, node: node})
		}
		if !slices.Contains(list[i].by, a) {
			list[i].by = append(list[i].by, a)
		}
	}
	for _, e := range m.Exceptions {
		if !e.Shared {
			refuse(e.Node, e.Action)
		}
	}
	for _, c := range m.Nondeterministic {
		refuse(c.Node, c.Action)
	}
	for _, u := range m.Untried {
		refuse(u.Node, u.Action)
	}
	return list
}

// mark is the fluent that is true in exactly this state.
func (r *refusedState) mark() string { return fmt.Sprintf("(node%d)", r.node) }

// notThere are the preconditions that keep an operator out of the states that
// refuse it.
func notThere(refused []refusedState, op *Operator) (text string) {
	for _, r := range refused {
		if slices.Contains(r.by, op.Action) && op.Applicable(r.code) {
			text += fmt.Sprintf(" (not %s)", r.mark())
		}
	}
	return text
}

// keepMarks are the effects that keep the marks true while the operator changes
// the state: a mark goes when its state is left, and comes when it is entered.
func (m *Model) keepMarks(refused []refusedState, op *Operator) (text string) {
	for _, r := range refused {
		if op.Applicable(r.code) && op.Apply(r.code) != r.code && !slices.Contains(r.by, op.Action) {
			text += fmt.Sprintf(" (when %s (not %[1]s))", r.mark())
		}
		if pos, neg, can := op.entering(r.code); can {
			text += fmt.Sprintf(" (when (and%s) %s)", m.literals(NegativePreconditions, pos, neg), r.mark())
		}
	}
	return text
}

// entering is what must hold beside the preconditions for the operator to lead
// to a state, and whether it can at all: the state must have the effects, what
// the operator requires and does not change, and the reverse of what it toggles.
func (o *Operator) entering(to State) (pos, neg []Predicate, can bool) {
	for _, mask := range []struct {
		predicates []Predicate
		value      bool
	}{{o.Add, true}, {o.Del, false}} {
		for _, p := range mask.predicates {
			if to.Get(p) != mask.value {
				return nil, nil, false
			}
		}
	}
	for p := range Predicate(to.Len()) {
		holds := to.Get(p) != slices.Contains(o.Toggle, p) // before
		switch {
		case slices.Contains(o.Add, p), slices.Contains(o.Del, p):
			continue
		case slices.Contains(o.PrePos, p), slices.Contains(o.PreNeg, p):
			if slices.Contains(o.PrePos, p) != holds {
				return nil, nil, false
			}
		case holds:
			pos = append(pos, p)
		default:
			neg = append(neg, p)
		}
	}
	return pos, neg, o.Effects() > 0
}
