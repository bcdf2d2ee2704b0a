package strips

import (
	"fmt"
	"math/bits"
	"strings"
)

// State is a vector of m predicate values. It is immutable and comparable: two
// states are equal (==) exactly if they have the same length and the same
// values, so a State is its own map key. The zero State has m = 0.
type State struct {
	m    int
	bits string // eight predicates a byte, the lowest first; unused bits are 0
}

// NewState returns the state of m predicates in which exactly the given ones
// hold. It panics if a predicate is out of range, as a slice index does.
func NewState(m int, holds ...Predicate) State {
	b := make([]byte, (m+7)/8)
	for _, p := range holds {
		if p < 0 || int(p) >= m {
			panic(fmt.Sprintf("strips: predicate %d is outside 0..%d", p, m-1))
		}
		b[p/8] |= 1 << (p % 8)
	}
	return State{m, string(b)}
}

// StateOf packs a slice of values.
func StateOf(values []bool) State {
	b := make([]byte, (len(values)+7)/8)
	for i, v := range values {
		if v {
			b[i/8] |= 1 << (i % 8)
		}
	}
	return State{len(values), string(b)}
}

// Likelier is the state of the likelier values, given the probability that each
// predicate holds.
func Likelier(probabilities []float32) State {
	values := make([]bool, len(probabilities))
	for i, p := range probabilities {
		values[i] = p >= 0.5
	}
	return StateOf(values)
}

// ParseState reads a code such as "0110", predicate 0 first.
func ParseState(code string) (State, error) {
	values := make([]bool, len(code))
	for i := range len(code) {
		switch code[i] {
		case '0':
		case '1':
			values[i] = true
		default:
			return State{}, fmt.Errorf("state code: character %d is %q, want 0 or 1", i, code[i])
		}
	}
	return StateOf(values), nil
}

// Len is m, the number of predicates.
func (s State) Len() int { return s.m }

// Get says whether p holds.
func (s State) Get(p Predicate) bool { return s.bits[p/8]>>(p%8)&1 == 1 }

// With returns s with the given values changed.
func (s State) With(add, del []Predicate) State {
	if len(add) == 0 && len(del) == 0 {
		return s
	}
	b := []byte(s.bits)
	for _, p := range del {
		b[p/8] &^= 1 << (p % 8)
	}
	for _, p := range add {
		b[p/8] |= 1 << (p % 8)
	}
	return State{s.m, string(b)}
}

// Toggled returns s with the given values inverted.
func (s State) Toggled(toggle []Predicate) State {
	if len(toggle) == 0 {
		return s
	}
	b := []byte(s.bits)
	for _, p := range toggle {
		b[p/8] ^= 1 << (p % 8)
	}
	return State{s.m, string(b)}
}

// Bools unpacks the values, predicate 0 first.
func (s State) Bools() []bool {
	values := make([]bool, s.m)
	for i := range values {
		values[i] = s.Get(Predicate(i))
	}
	return values
}

// Distance is the number of predicates in which s and t differ (Hamming). The
// states must have the same length.
func (s State) Distance(t State) int {
	n := 0
	for i := range len(s.bits) {
		n += bits.OnesCount8(s.bits[i] ^ t.bits[i])
	}
	return n
}

// Difference lists the predicates in which s and t differ, ascending.
func (s State) Difference(t State) []Predicate {
	var diff []Predicate
	for i := range s.m {
		if p := Predicate(i); s.Get(p) != t.Get(p) {
			diff = append(diff, p)
		}
	}
	return diff
}

// String is the code, such as "0110", predicate 0 first.
func (s State) String() string {
	var b strings.Builder
	b.Grow(s.m)
	for i := range s.m {
		if s.Get(Predicate(i)) {
			b.WriteByte('1')
		} else {
			b.WriteByte('0')
		}
	}
	return b.String()
}
