package facts

import (
	"stripswm/models/internal/bitset"
	"stripswm/models/strips"
	"stripswm/models/traces"
)

type literal = strips.LiteralID

// set is a set of literals.
type set = bitset.Of[literal]

// known are the literals that hold in a static interval and are known.
func known(r *traces.Result, interval int) set {
	n := len(r.Model.Predicates)
	s := bitset.Make[literal](2 * n)
	for p := range n {
		switch r.Value(strips.Predicate(p), interval) {
		case traces.True:
			s.Set(strips.Literal{Predicate: strips.Predicate(p)}.ID())
		case traces.False:
			s.Set(strips.Literal{Predicate: strips.Predicate(p), Negated: true}.ID())
		}
	}
	return s
}
