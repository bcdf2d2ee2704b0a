package regions

import (
	"math/rand/v2"
)

// clique looks for many separation constraints of which no two can be separated by one region:
// each needs a region of its own, so their number is a lower bound on m. It grows
// cliques greedily from random starts, asking the oracle about a pair only if no
// known region separates both.
type clique struct {
	o           *oracle
	constraints []int
	known       []*region
	pairs       map[[2]int]bool // whether two of separation constraints (by index, ascending) conflict
	best        []int           // indices into separation constraints
	rng         *rand.Rand
}

func newClique(o *oracle, constraints []int, known []*region, seed uint64) *clique {
	return &clique{o: o, constraints: constraints, known: known, pairs: map[[2]int]bool{},
		rng: rand.New(rand.NewPCG(seed, streamClique))}
}

// grow makes the given number of starts: the first half from nothing, the others
// from the best clique so far without some of its members.
func (q *clique) grow(starts int) {
	for start := range starts {
		var members []int
		if start >= starts/2 {
			for _, i := range q.best {
				if q.rng.IntN(4) > 0 {
					members = append(members, i)
				}
			}
		}
		for _, i := range q.rng.Perm(len(q.constraints)) {
			if q.fits(i, members) {
				members = append(members, i)
			}
			if q.o.w.Over() {
				break
			}
		}
		if len(members) > len(q.best) {
			q.best = members
		}
		if q.o.w.Over() {
			return
		}
	}
}

func (q *clique) fits(i int, members []int) bool {
	for _, j := range members {
		if i == j || !q.conflict(i, j) {
			return false
		}
	}
	return true
}

func (q *clique) conflict(i, j int) bool {
	if i > j {
		i, j = j, i
	}
	q.o.w.Spend(1)
	if answer, asked := q.pairs[[2]int{i, j}]; asked {
		return answer
	}
	answer := q.ask(q.constraints[i], q.constraints[j])
	q.pairs[[2]int{i, j}] = answer
	return answer
}

func (q *clique) ask(a, b int) bool {
	q.o.w.Spend(1 + int64(len(q.known)/50))
	for _, c := range q.known {
		if c.cover.Has(a) && c.cover.Has(b) {
			return false
		}
	}
	first := q.o.distinct(a, +1)
	for _, sign := range []int{+1, -1} {
		second := q.o.distinct(b, sign)
		if x, ok := q.o.solve(first[0], first[1], second[0], second[1]); ok {
			q.known = append(q.known, q.o.p.mustRegion(x))
			return false
		}
	}
	return true
}
