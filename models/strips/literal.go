package strips

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
