package regions

import (
	"math/rand/v2"
	"sync"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"

	"stripswm/internal/spread"
	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"
)

// approximate finds a small cover where the regions are too many to list: first by iterated greedy
// search, then by asking for all regions at once, between a lower bound and the number found. The
// bound is that of a clique: of its constraints, each needs a region of its own. If m suffices no
// smaller cover is sought. Each phase has a share of the work that the phases before it left.
func (p *Problem) approximate(w *work.Work, pool []*region, want bitset.Set, m int,
	seed uint64,
) (best []*region, bound int) {
	var core []int
	w.Within(15, func() { best, core = p.smallCover(w, pool, want, seed) })
	if m > 0 && m >= len(best) {
		return best, 0
	}
	q := newClique(newOracle(p, w), p.candidates(core, want, seed),
		append(pool[:len(pool):len(pool)], best...), seed)
	w.Within(15, func() { q.grow(cliqueTries) })
	single := make([]int, len(q.best))
	for i, k := range q.best {
		single[i] = q.constraints[k]
	}
	bound = len(single)
	if len(best)*len(p.graph.Edges) <= jointEdges {
		w.Within(75, func() {
			var fewer []*region
			if bound, fewer = p.closeGap(w, single, want, best); fewer != nil {
				best = fewer
			}
		})
	}
	return best, bound
}

// candidates are the constraints that made the cover hard, and a random choice of others.
func (p *Problem) candidates(core []int, want bitset.Set, seed uint64) []int {
	in := map[int]bool{}
	for _, constraint := range core {
		in[constraint] = true
	}
	all := members(want)
	rng := rand.New(rand.NewPCG(seed, streamCandidates))
	for _, k := range rng.Perm(len(all)) {
		if len(core) >= cliqueConstraints {
			break
		}
		if !in[all[k]] {
			core = append(core, all[k])
		}
	}
	return core
}

// smallCover runs chains of iterated greedy search at the same time, each from the best of some
// greedy covers. It returns the smallest cover and the constraints that made covers hard.
func (p *Problem) smallCover(w *work.Work, pool []*region, want bitset.Set,
	seed uint64,
) ([]*region, []int) {
	start := withoutRedundant(pool, want)
	all := make([]*iterated, chains)
	each := w.Fork(chains)
	var done sync.WaitGroup
	for i := range all {
		all[i] = newIterated(newOracle(p, each[i]), want, start, seed*chains+uint64(i))
		done.Go(func() {
			if want.Count() <= greedyConstraints {
				for range greedyStarts {
					all[i].restart(greedyCover(all[i].o, pool, want, all[i].rng))
				}
			}
			all[i].run()
		})
	}
	done.Wait()
	w.Merge(each)
	best := all[0].best
	var core []int
	seen := map[int]bool{}
	for _, it := range all {
		if len(it.best) < len(best) {
			best = it.best
		}
		for _, constraint := range it.core {
			if !seen[constraint] {
				seen[constraint] = true
				core = append(core, constraint)
			}
		}
	}
	return best, core
}

// bestOf chooses m regions that separate many separation constraints, greedily, and then exchanges
// single regions while that helps.
func (p *Problem) bestOf(regions []*region, want bitset.Set, m int) []*region {
	var chosen []*region
	open := want.Clone()
	for len(chosen) < m {
		chosen = append(chosen, mostOf(regions, open))
		open.Remove(chosen[len(chosen)-1].cover)
	}
	for changed := true; changed; {
		changed = false
		for k := range chosen {
			open := want.Clone()
			for j, c := range chosen {
				if j != k {
					open.Remove(c.cover)
				}
			}
			if c := mostOf(regions, open); c.cover.Common(open) > chosen[k].cover.Common(open) {
				chosen[k], changed = c, true
			}
		}
	}
	return chosen
}

// mostOf is the first region that separates the most of the open separation constraints.
func mostOf(regions []*region, open bitset.Set) *region {
	best, most := regions[0], -1
	for _, c := range regions {
		if n := c.cover.Common(open); n > most {
			best, most = c, n
		}
	}
	return best
}

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
	first := q.o.separating(a, +1)
	for _, sign := range []int{+1, -1} {
		second := q.o.separating(b, sign)
		if x, ok := q.o.solve(first[0], first[1], second[0], second[1]); ok {
			q.known = append(q.known, q.o.p.mustRegion(x))
			return false
		}
	}
	return true
}

// joint asks for k regions at once that together separate a growing set of separation constraints.
// The separation constraints of a clique need a region each, so the first gets the first region
// and so on, which breaks the symmetry between regions and between a region and
// its complement.
type joint struct {
	solver *gini.Gini
	copies []*oracle
}

func newJoint(p *Problem, w *work.Work, k int, clique []int) *joint {
	j := &joint{solver: gini.New()}
	for i := range k {
		o := &oracle{p: p, w: w, solver: j.solver, base: i * p.variables()}
		o.declare()
		j.copies = append(j.copies, o)
	}
	for i, o := range j.copies {
		o.constrain(never, never)
		if i < len(clique) {
			for _, lit := range o.separating(clique[i], +1) {
				o.clause(lit)
			}
		}
	}
	return j
}

// require asks for the separation constraint to be separated by one of the regions.
func (j *joint) require(constraint int) {
	var some []z.Lit
	for _, o := range j.copies {
		for _, sign := range []int{+1, -1} {
			by := j.solver.Lit()
			for _, lit := range o.separating(constraint, sign) {
				o.clause(by.Not(), lit)
			}
			some = append(some, by)
		}
	}
	j.copies[0].clause(some...)
}

// closeGap raises a lower bound on the number of regions, and lowers the upper
// one where it can, by asking for k regions at once, for k from the size of a
// clique on: separation constraints that the regions found leave open are added until there are
// no such regions, until they separate all separation constraints, or until the work ends. It
// returns the bound and a cover of fewer regions than best, if it found one.
func (p *Problem) closeGap(w *work.Work, clique []int, want bitset.Set,
	best []*region,
) (int, []*region) {
	k := len(clique)
	asked := append([]int(nil), clique...)
	for k > 0 && k < len(best) {
		j := newJoint(p, w, k, clique)
		for _, constraint := range asked {
			j.require(constraint)
		}
		for {
			answer := w.Decide(j.solver)
			if answer == 0 {
				return k, nil
			}
			if answer == -1 {
				k++
				break
			}
			var regions []*region
			open := want.Clone()
			for _, o := range j.copies {
				regions = append(regions, p.mustRegion(o.values()))
				open.Remove(regions[len(regions)-1].cover)
			}
			if open.Empty() {
				return k, regions
			}
			for _, constraint := range spread.Evenly(members(open), 10) {
				asked = append(asked, constraint)
				j.require(constraint)
			}
		}
	}
	return k, nil
}
