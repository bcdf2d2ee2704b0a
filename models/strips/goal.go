package strips

import (
	"fmt"
	"slices"
)

// Literal is a predicate or its negation.
type Literal struct {
	Predicate Predicate
	Negated   bool
}

// Holds says whether the literal is true in s.
func (l Literal) Holds(s State) bool { return s.Get(l.Predicate) != l.Negated }

// Goal is a set of literals that have to hold; the other predicates do not matter. The empty goal
// holds everywhere.
type Goal []Literal

// GoalOf is the goal of every value of s.
func GoalOf(s State) Goal {
	goal := make(Goal, s.Len())
	for p := range goal {
		goal[p] = s.literal(Predicate(p))
	}
	return goal
}

// GoalOfSome is the goal of the values of s that the given predicates have, such as those that are
// seen in a part of an image. It panics if a predicate is out of range.
func GoalOfSome(s State, predicates []Predicate) Goal {
	goal := make(Goal, len(predicates))
	for i, p := range predicates {
		goal[i] = s.literal(p)
	}
	return goal
}

func (s State) literal(p Predicate) Literal { return Literal{p, !s.Get(p)} }

// Holds says whether every literal is true in s.
func (g Goal) Holds(s State) bool {
	return !slices.ContainsFunc(g, func(l Literal) bool { return !l.Holds(s) })
}

// Unmet lists the literals that are not true in s.
func (g Goal) Unmet(s State) []Literal {
	var unmet []Literal
	for _, l := range g {
		if !l.Holds(s) {
			unmet = append(unmet, l)
		}
	}
	return unmet
}

// String has a digit for each predicate up to the last one of the goal, and "-" for those that it
// leaves open, such as "01--1"; that of every value of a state is as the state.
func (g Goal) String() string {
	var text []byte
	for _, l := range g {
		for int(l.Predicate) >= len(text) {
			text = append(text, '-')
		}
		text[l.Predicate] = '1'
		if l.Negated {
			text[l.Predicate] = '0'
		}
	}
	return string(text)
}

// Validate reports a predicate outside 0..m-1, or one that is wanted true and false.
func (g Goal) Validate(m int) error {
	wanted := make(map[Predicate]bool, len(g))
	for _, l := range g {
		if l.Predicate < 0 || int(l.Predicate) >= m {
			return fmt.Errorf("goal: predicate %d is outside 0..%d", l.Predicate, m-1)
		}
		if negated, twice := wanted[l.Predicate]; twice && negated != l.Negated {
			return fmt.Errorf("goal: predicate %d is wanted true and false: leave one out", l.Predicate)
		}
		wanted[l.Predicate] = l.Negated
	}
	return nil
}

// LiteralID is a predicate's number times two, plus one if it is negated.
type LiteralID int32

// ID is the number of the literal.
func (l Literal) ID() LiteralID {
	if l.Negated {
		return LiteralID(2*l.Predicate + 1)
	}
	return LiteralID(2 * l.Predicate)
}

// Not is the negation.
func (l LiteralID) Not() LiteralID { return l ^ 1 }

// Predicate is that of the literal.
func (l LiteralID) Predicate() Predicate { return Predicate(l / 2) }

// Rule is the literals that an operator needs and those that it sets.
type Rule struct{ Needs, Sets []LiteralID }

// Rule lists the operator's literals. A predicate that it toggles may get both values.
func (o *Operator) Rule() (e Rule) {
	for _, part := range []struct {
		to      *[]LiteralID
		of      []Predicate
		negated bool
	}{{&e.Needs, o.PrePos, false}, {&e.Needs, o.PreNeg, true}, {&e.Sets, o.Add, false},
		{&e.Sets, o.Del, true}} {
		for _, p := range part.of {
			*part.to = append(*part.to, Literal{p, part.negated}.ID())
		}
	}
	for _, p := range o.Toggle {
		e.Sets = append(e.Sets, Literal{p, false}.ID(), Literal{p, true}.ID())
	}
	return e
}
