package facts

import (
	"stripswm/models/internal/bitset"
	"stripswm/models/strips"
	"stripswm/models/traces"
)

// literal is a predicate's number times two, plus one if it is negated.
type literal int32

func literalOf(p strips.Predicate, negated bool) literal {
	l := literal(2 * p)
	if negated {
		l++
	}
	return l
}

func (l literal) not() literal   { return l ^ 1 }
func (l literal) predicate() int { return int(l / 2) }

// set is a set of literals.
type set = bitset.Of[literal]

// known are the literals that hold in a static interval and are known.
func known(r *traces.Result, interval int) set {
	n := len(r.Model.Predicates)
	s := bitset.Make[literal](2 * n)
	for p := range n {
		switch r.Value(strips.Predicate(p), interval) {
		case traces.True:
			s.Set(literalOf(strips.Predicate(p), false))
		case traces.False:
			s.Set(literalOf(strips.Predicate(p), true))
		}
	}
	return s
}
