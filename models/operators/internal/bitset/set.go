package bitset

import (
	"encoding/binary"
	"math/bits"
)

// Set is a set of small numbers, 64 a word.
type Set []uint64

// New is an empty set that can hold 0 to n-1.
func New(n int) Set { return make(Set, (n+63)/64) }

// Has says whether i is a member.
func (b Set) Has(i int) bool { return b[i>>6]>>(i&63)&1 == 1 }

// Set makes i a member.
func (b Set) Set(i int) { b[i>>6] |= 1 << (i & 63) }

// Clear takes i out.
func (b Set) Clear(i int) { b[i>>6] &^= 1 << (i & 63) }

// Count is the number of members.
func (b Set) Count() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// Empty says whether there is no member.
func (b Set) Empty() bool {
	for _, w := range b {
		if w != 0 {
			return false
		}
	}
	return true
}

// Clone is a copy.
func (b Set) Clone() Set { return append(Set(nil), b...) }

// Within says whether every member of b is in c.
func (b Set) Within(c Set) bool {
	for i, w := range b {
		if w&^c[i] != 0 {
			return false
		}
	}
	return true
}

// Meets says whether b and c share a member.
func (b Set) Meets(c Set) bool {
	for i, w := range b {
		if w&c[i] != 0 {
			return true
		}
	}
	return false
}

// Remove takes the members of c out of b.
func (b Set) Remove(c Set) {
	for i, w := range c {
		b[i] &^= w
	}
}

// Keep leaves only the members that are in c, too.
func (b Set) Keep(c Set) {
	for i, w := range c {
		b[i] &= w
	}
}

// Add puts the members of c into b.
func (b Set) Add(c Set) {
	for i, w := range c {
		b[i] |= w
	}
}

// Common counts what b and c share.
func (b Set) Common(c Set) int {
	n := 0
	for i, w := range b {
		n += bits.OnesCount64(w & c[i])
	}
	return n
}

// Each calls yield with the members in ascending order until it returns false.
func (b Set) Each(yield func(int) bool) {
	for i, w := range b {
		for w != 0 {
			if !yield(i<<6 + bits.TrailingZeros64(w)) {
				return
			}
			w &= w - 1
		}
	}
}

// Key is a map key for b.
func (b Set) Key() string {
	buf := make([]byte, 0, 8*len(b))
	for _, w := range b {
		buf = binary.LittleEndian.AppendUint64(buf, w)
	}
	return string(buf)
}
