package bitset

import (
	"encoding/binary"
	"math/bits"
)

// Of is a set of small numbers of a type, 64 a word.
type Of[E ~int | ~int32] []uint64

// Set is a set of small numbers.
type Set = Of[int]

// New is an empty set that can hold 0 to n-1.
func New(n int) Set { return Make[int](n) }

// Make is an empty set that can hold 0 to n-1.
func Make[E ~int | ~int32](n int) Of[E] { return make(Of[E], (n+63)/64) }

// Has says whether i is a member.
func (b Of[E]) Has(i E) bool { return b[i>>6]>>(i&63)&1 == 1 }

// Set makes i a member.
func (b Of[E]) Set(i E) { b[i>>6] |= 1 << (i & 63) }

// Clear takes i out.
func (b Of[E]) Clear(i E) { b[i>>6] &^= 1 << (i & 63) }

// Count is the number of members.
func (b Of[E]) Count() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// Empty says whether there is no member.
func (b Of[E]) Empty() bool {
	for _, w := range b {
		if w != 0 {
			return false
		}
	}
	return true
}

// Clone is a copy.
func (b Of[E]) Clone() Of[E] { return append(Of[E](nil), b...) }

// Within says whether every member of b is in c.
func (b Of[E]) Within(c Of[E]) bool {
	for i, w := range b {
		if w&^c[i] != 0 {
			return false
		}
	}
	return true
}

// Meets says whether b and c share a member.
func (b Of[E]) Meets(c Of[E]) bool {
	for i, w := range b {
		if w&c[i] != 0 {
			return true
		}
	}
	return false
}

// Remove takes the members of c out of b.
func (b Of[E]) Remove(c Of[E]) {
	for i, w := range c {
		b[i] &^= w
	}
}

// Keep leaves only the members that are in c, too.
func (b Of[E]) Keep(c Of[E]) {
	for i, w := range c {
		b[i] &= w
	}
}

// Add puts the members of c into b.
func (b Of[E]) Add(c Of[E]) {
	for i, w := range c {
		b[i] |= w
	}
}

// Shared is the least of what b and c share, -1 where there is nothing.
func (b Of[E]) Shared(c Of[E]) E {
	for i, w := range b {
		if w &= c[i]; w != 0 {
			return E(i<<6 + bits.TrailingZeros64(w))
		}
	}
	return -1
}

// Common counts what b and c share.
func (b Of[E]) Common(c Of[E]) int {
	n := 0
	for i, w := range b {
		n += bits.OnesCount64(w & c[i])
	}
	return n
}

// Each calls yield with the members in ascending order until it returns false.
func (b Of[E]) Each(yield func(E) bool) {
	for i, w := range b {
		for w != 0 {
			if !yield(E(i<<6 + bits.TrailingZeros64(w))) {
				return
			}
			w &= w - 1
		}
	}
}

// Key is a map key for b.
func (b Of[E]) Key() string {
	buf := make([]byte, 0, 8*len(b))
	for _, w := range b {
		buf = binary.LittleEndian.AppendUint64(buf, w)
	}
	return string(buf)
}
