package strips

import "slices"

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
