package columns

import (
	"encoding/binary"
	"math/bits"
)

// bitset is a set of small numbers, 64 a word.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (b bitset) has(i int) bool { return b[i>>6]>>(i&63)&1 == 1 }
func (b bitset) set(i int)      { b[i>>6] |= 1 << (i & 63) }
func (b bitset) clear(i int)    { b[i>>6] &^= 1 << (i & 63) }

func (b bitset) count() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

func (b bitset) empty() bool {
	for _, w := range b {
		if w != 0 {
			return false
		}
	}
	return true
}

func (b bitset) clone() bitset { return append(bitset(nil), b...) }

// within says whether every member of b is in c.
func (b bitset) within(c bitset) bool {
	for i, w := range b {
		if w&^c[i] != 0 {
			return false
		}
	}
	return true
}

// meets says whether b and c share a member.
func (b bitset) meets(c bitset) bool {
	for i, w := range b {
		if w&c[i] != 0 {
			return true
		}
	}
	return false
}

// remove takes the members of c out of b.
func (b bitset) remove(c bitset) {
	for i, w := range c {
		b[i] &^= w
	}
}

// add puts the members of c into b.
func (b bitset) add(c bitset) {
	for i, w := range c {
		b[i] |= w
	}
}

// common counts what b and c share.
func (b bitset) common(c bitset) int {
	n := 0
	for i, w := range b {
		n += bits.OnesCount64(w & c[i])
	}
	return n
}

// each calls yield with the members in ascending order until it returns false.
func (b bitset) each(yield func(int) bool) {
	for i, w := range b {
		for w != 0 {
			if !yield(i<<6 + bits.TrailingZeros64(w)) {
				return
			}
			w &= w - 1
		}
	}
}

// key is a map key for b.
func (b bitset) key() string {
	buf := make([]byte, 0, 8*len(b))
	for _, w := range b {
		buf = binary.LittleEndian.AppendUint64(buf, w)
	}
	return string(buf)
}
