package traces

import "math/bits"

// set is a set of small numbers, of intervals or of actions, 64 a word.
type set []uint64

func newSet(n int) set { return make(set, (n+63)/64) }

func (s set) has(i int) bool { return s[i>>6]>>(i&63)&1 == 1 }

func (s set) add(i int) { s[i>>6] |= 1 << (i & 63) }

func (s set) remove(i int) { s[i>>6] &^= 1 << (i & 63) }

func (s set) count() int { return s.common(s) }

// common counts what s and t share.
func (s set) common(t set) int {
	n := 0
	for i, w := range t {
		n += bits.OnesCount64(w & s[i])
	}
	return n
}

// shared is the least of what s and t share, -1 where there is nothing.
func (s set) shared(t set) int {
	for i, w := range t {
		if w &= s[i]; w != 0 {
			return i<<6 + bits.TrailingZeros64(w)
		}
	}
	return -1
}

// within says whether every member of s is in t.
func (s set) within(t set) bool {
	for i, w := range s {
		if w&^t[i] != 0 {
			return false
		}
	}
	return true
}

// keep leaves only the members that are in t, too.
func (s set) keep(t set) {
	for i, w := range t {
		s[i] &= w
	}
}

// join puts the members of t into s.
func (s set) join(t set) {
	for i, w := range t {
		s[i] |= w
	}
}

// without takes the members of t out of s.
func (s set) without(t set) {
	for i, w := range t {
		s[i] &^= w
	}
}

func (s set) clone() set { return append(set(nil), s...) }
