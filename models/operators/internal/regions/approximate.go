package regions

import (
	"math/rand/v2"
	"slices"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"

	"stripswm/internal/spread"
	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"
)

// approximate finds a small cover where the regions are too many to list: first by greedy
// covers, then by asking for all regions at once, between a lower bound and the number found. The
// bound is that of a clique: of its constraints, each needs a region of its own. If m suffices no
// smaller cover is sought. Each phase has a share of the work that the phases before it left.
func (p *Problem) approximate(w *work.Work, pool []*region, want bitset.Set, m int,
	seed uint64,
) (best []*region, bound int) {
	o := newOracle(p, w)
	var known []*region
	w.Within(coverShare, func() { best, known = smallCover(o, pool, want, seed) })
	if m > 0 && m >= len(best) {
		return best, 0
	}
	var clique []int
	w.Within(15, func() { clique = largeClique(o, p.rarest(w, known, want), known, seed) })
	bound = len(clique)
	if len(best)*len(p.graph.Edges) <= jointEdges {
		w.Within(60, func() {
			var fewer []*region
			if bound, fewer = p.closeGap(w, clique, want, best); fewer != nil {
				best = fewer
			}
		})
	}
	if bound < len(best) {
		w.Within(75, func() { best, _ = smallCover(o, best, want, seed+1) })
	}
	return best, bound
}

// rarest lists constraints that few of the known regions separate, rarest first.
func (p *Problem) rarest(w *work.Work, known []*region, want bitset.Set) []int {
	count := map[int]int{}
	all := members(want)
	w.Spend(int64(len(all) * len(known) / 50))
	for _, constraint := range all {
		for _, c := range known {
			if c.cover.Has(constraint) {
				count[constraint]++
			}
		}
	}
	slices.SortStableFunc(all, func(a, b int) int { return count[a] - count[b] })
	return all[:min(len(all), cliqueConstraints)]
}

// largeClique looks for many constraints of which no two can be separated by one region: each needs
// a region of its own, so their number is a lower bound on that of the regions. It grows cliques
// greedily, first in the order of the constraints and then in random orders, in the end from the
// best one so far without some of its members.
func largeClique(o *oracle, constraints []int, known []*region, seed uint64) (best []int) {
	q := &pairs{o: o, known: known, together: map[[2]int]bool{}}
	rng := rand.New(rand.NewPCG(seed, streamClique))
	constraints = slices.Clone(constraints)
	for start := 0; start < cliqueTries && !o.w.Over(); start++ {
		var grown []int
		if start >= cliqueTries/2 {
			grown = slices.DeleteFunc(slices.Clone(best), func(int) bool { return rng.IntN(4) == 0 })
		}
		for _, a := range constraints {
			if o.w.Over() {
				break
			}
			if !slices.ContainsFunc(grown, func(b int) bool { return a == b || q.separable(a, b) }) {
				grown = append(grown, a)
			}
		}
		if len(grown) > len(best) {
			best = grown
		}
		rng.Shuffle(len(constraints), func(i, j int) {
			constraints[i], constraints[j] = constraints[j], constraints[i]
		})
	}
	return best
}

// pairs remembers which pairs of constraints one region separates.
type pairs struct {
	o        *oracle
	known    []*region
	together map[[2]int]bool
}

// separable says whether one region separates both constraints. It asks the oracle only if no known
// region does.
func (q *pairs) separable(a, b int) bool {
	q.o.w.Spend(1)
	key := [2]int{min(a, b), max(a, b)}
	answer, asked := q.together[key]
	if !asked {
		answer = q.ask(key[0], key[1])
		q.together[key] = answer
	}
	return answer
}

func (q *pairs) ask(a, b int) bool {
	q.o.w.Spend(1 + int64(len(q.known)/50))
	if slices.ContainsFunc(q.known, func(c *region) bool { return c.cover.Has(a) && c.cover.Has(b) }) {
		return true
	}
	first := q.o.separating(a, +1)
	for _, sign := range []int{+1, -1} {
		second := q.o.separating(b, sign)
		if x, ok := q.o.solve(first[0], first[1], second[0], second[1]); ok {
			q.known = append(q.known, q.o.p.mustRegion(x))
			return true
		}
	}
	return false
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
