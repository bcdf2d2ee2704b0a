package facts

import (
	"math/bits"
	"slices"
)

// maxCliques bounds the search: sets that are not found leave decoding with fewer constraints.
const maxCliques = 20_000

// cliques are the maximal sets of literals that exclude each other (Bron and Kerbosch 1973, with a
// pivot), each ascending; at most maxCliques of them. A literal that excludes itself never holds,
// and so do those that exclude their negation only.
func cliques(excludes []set) (all [][]literal) {
	n := len(excludes)
	var grow func(have []literal, can, done set)
	count := func(s set) (c int) {
		for _, w := range s {
			c += bits.OnesCount64(w)
		}
		return c
	}
	grow = func(have []literal, can, done set) {
		if len(all) == maxCliques {
			return
		}
		if count(can) == 0 {
			if count(done) == 0 {
				clique := slices.Clone(have)
				slices.Sort(clique)
				all = append(all, clique)
			}
			return
		}
		pivot, most := literal(-1), -1
		choose := func(l literal) {
			both := can.clone()
			both.intersect(excludes[l])
			if c := count(both); c > most {
				pivot, most = l, c
			}
		}
		can.each(choose)
		done.each(choose)
		can.clone().each(func(l literal) {
			if excludes[pivot].has(l) {
				return
			}
			nextCan, nextDone := can.clone(), done.clone()
			nextCan.intersect(excludes[l])
			nextDone.intersect(excludes[l])
			grow(append(have, l), nextCan, nextDone)
			can.remove(l)
			done.add(l)
		})
	}
	can := newSet(n)
	for l := range literal(n) {
		can.add(l)
	}
	grow(nil, can, newSet(n))
	return all
}
