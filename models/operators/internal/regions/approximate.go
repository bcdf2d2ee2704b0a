package regions

import (
	"math/rand/v2"
	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"
	"sync"
)

// Limits of the search for small covers where the regions are too many to list.
const (
	chains            = 2       // independent improvements, one a core
	greedyConstraints = 40000   // for which greedy covers are worth their time
	greedyStarts      = 4       // greedy covers to choose from
	chainConstraints  = 2000    // attempts in a row that may fail while a region is stretched
	cliqueTries       = 300     // starts
	jointEdges        = 400_000 // edges times regions that are asked for at once
	cliqueConstraints = 2000    // among which cliques are sought
	actionConstraints = 200     // and for the preconditions of one action
	actionTries       = 4       // starts there
	slimRounds        = 10      // rounds over all regions
	sparseConstraints = 300     // attempts in a row that may fail while a sparse region is stretched
	effectCores       = 200     // cores for a lower bound on one region's effects
)

// approximate finds a small cover, then few effects, each with a lower bound: m
// by iterated greedy, by cliques of separation constraints that need a region each, and by asking
// for all regions at once to close the gap; effects by slimming and by the least
// effects of the regions that the clique needs. Each phase has a share of the
// work that the phases before it left.
func (p *Problem) approximate(w *work.Work, pool []*region, want bitset.Set, m int,
	seed uint64,
) *Solution {
	var best []*region
	var core []int
	w.Within(15, func() { best, core = p.smallCover(w, pool, want, seed) })
	o := newOracle(p, w)
	q := newClique(o, p.candidates(core, want, seed), append(pool[:len(pool):len(pool)], best...),
		seed)
	w.Within(15, func() { q.grow(cliqueTries) })
	single := make([]int, len(q.best))
	for i, k := range q.best {
		single[i] = q.constraints[k]
	}
	bound := len(single)
	if (m == 0 || m < len(best)) && len(best)*len(p.graph.Edges) <= jointEdges {
		w.Within(75, func() {
			var fewer []*region
			if bound, fewer = p.closeGap(w, single, want, best); fewer != nil {
				best = fewer
			}
		})
	}
	regions := best
	short := m > 0 && m < len(best) // of regions
	if short {
		regions = p.bestOf(append(best, pool...), want, m)
	}
	var s *Solution
	w.Within(85, func() { s = p.fewEffects(o, regions, m, seed) })
	s.Bounds.Predicates, s.Proved.Predicates = bound, bound == len(s.regions)
	if m > 0 {
		s.Bounds.Predicates, s.Proved.Predicates = m, true
	}
	if short {
		s.Proved.Effects = s.Effects == 0
		return s
	}
	for _, constraint := range single {
		s.Bounds.Effects += o.leastEffects(constraint, effectCores)
	}
	s.Proved.Effects = s.Bounds.Effects == s.Effects
	s.Bounds.Preconditions = p.leastPreconditions(o, q.known, want, seed)
	s.Proved.Preconditions = s.Proved.Effects && s.Bounds.Preconditions == s.Preconditions
	return s
}

// fewEffects slims the regions and makes a model of them, with constant ones added
// up to m.
func (p *Problem) fewEffects(o *oracle, regions []*region, m int, seed uint64) *Solution {
	covered := make(bitset.Set, len(p.constraints))
	for _, c := range regions {
		covered.Add(c.cover)
	}
	sl := &slimmer{o: o, want: covered, rng: rand.New(rand.NewPCG(seed, streamSlim))}
	s := sl.solution(regions, m)
	for round := 0; round < slimRounds && !o.w.Over(); round++ {
		next := append([]*region(nil), regions...)
		fell := sl.round(next, round%2 == 1)
		if t := sl.solution(next, m); !s.better(t) {
			s, regions = t, next
		}
		if !fell {
			break
		}
	}
	return sl.thin(s, max(m, len(regions)))
}

// candidates are the separation constraints of the core and a random choice of others.
func (p *Problem) candidates(core []int, want bitset.Set, seed uint64) []int {
	in := map[int]bool{}
	for _, constraint := range core {
		in[constraint] = true
	}
	all := members(want)
	rng := rand.New(rand.NewPCG(seed, streamApproximate))
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

// leastPreconditions is a lower bound on the preconditions of any model that separates the
// separation constraints in want: for each action, a clique among its separation constraints.
func (p *Problem) leastPreconditions(o *oracle, known []*region, want bitset.Set, seed uint64) int {
	sum := 0
	for a := range p.actions {
		constraints := members(p.of(want, a))
		for i := range constraints {
			constraints[i] = p.constraint(a, constraints[i])
		}
		if len(constraints) == 0 {
			continue
		}
		q := newClique(o, constraints, known, seed)
		q.rng.Shuffle(len(constraints), func(i, j int) {
			constraints[i], constraints[j] = constraints[j],
				constraints[i]
		})
		q.constraints = constraints[:min(len(constraints), actionConstraints)]
		if !o.w.Over() {
			q.grow(actionTries)
		}
		sum += max(1, len(q.best))
	}
	return sum + len(p.free)
}

// smallCover runs the chains and returns the best cover and the separation constraints that made
// it hard.
func (p *Problem) smallCover(w *work.Work, pool []*region, want bitset.Set,
	seed uint64,
) ([]*region, []int) {
	start := withoutRedundant(pool, want)
	many := want.Count() > greedyConstraints
	all := make([]*iterated, chains)
	each := w.Fork(chains)
	var done sync.WaitGroup
	for i := range all {
		all[i] = newIterated(newOracle(p, each[i]), want, start, seed*chains+uint64(i))
		done.Go(func() {
			if !many {
				for range greedyStarts {
					all[i].restart(greedyCover(all[i].o, pool, want, all[i].rng))
				}
			}
			all[i].run()
		})
	}
	done.Wait()
	w.Merge(each)
	best := all[0]
	for _, it := range all[1:] {
		if len(it.best) < len(best.best) {
			best = it
		}
	}
	var core []int
	seen := map[int]bool{}
	for _, it := range all {
		for _, constraint := range it.core {
			if !seen[constraint] {
				seen[constraint] = true
				core = append(core, constraint)
			}
		}
	}
	return best.best, core
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
