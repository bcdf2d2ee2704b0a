package facts

import (
	"math/bits"

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
type set []uint64

func newSet(literals int) set    { return make(set, (literals+63)/64) }
func (s set) has(l literal) bool { return s[l/64]>>(l%64)&1 == 1 }
func (s set) add(l literal)      { s[l/64] |= 1 << (l % 64) }
func (s set) remove(l literal)   { s[l/64] &^= 1 << (l % 64) }
func (s set) clone() set         { return append(set(nil), s...) }
func (s set) meets(t set) (any uint64) {
	for i, w := range s {
		any |= w & t[i]
	}
	return any
}

// union adds t to s and says whether s grew.
func (s set) union(t set) bool {
	grew := uint64(0)
	for i, w := range t {
		grew |= w &^ s[i]
		s[i] |= w
	}
	return grew != 0
}

func (s set) intersect(t set) {
	for i, w := range t {
		s[i] &= w
	}
}

// each calls f with the literals in ascending order.
func (s set) each(f func(literal)) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			f(literal(64*i + bits.TrailingZeros64(w)))
		}
	}
}

// known are the literals that hold in a static interval and are known.
func known(r *traces.Result, interval int) set {
	n := len(r.Model.Predicates)
	s := newSet(2 * n)
	for p := range n {
		switch r.Value(strips.Predicate(p), interval) {
		case traces.True:
			s.add(literalOf(strips.Predicate(p), false))
		case traces.False:
			s.add(literalOf(strips.Predicate(p), true))
		}
	}
	return s
}
