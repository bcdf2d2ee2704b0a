package operators

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"
)

// Work limits of the search for small covers where the columns are too many to
// list. They grow with the budget; unless the time runs out first, the result
// depends only on the budget and the seed.
const (
	chains       = 2      // independent improvements, one a core
	chainRate    = 30_000 // rounds of iterated greedy times atoms, a second of budget
	greedyAtoms  = 40000  // for which greedy covers are worth their time
	greedyStarts = 4      // greedy covers to choose from
	chainAtoms   = 2000   // attempts in a row that may fail while a column is stretched
	cliqueTries  = 300
	jointEdges   = 400_000 // edges times columns that are asked for at once
	cliqueAtoms  = 2000    // among which cliques are sought
	actionAtoms  = 200     // and for the preconditions of one action
	actionTries  = 4
	slimRounds   = 10
	thinRate     = 1_200_000 // moves that lower effects times atoms, a second of budget
	sparseAtoms  = 300       // attempts in a row that may fail while a sparse column is stretched
	effectCores  = 200       // cores for a lower bound on one column's effects
)

// approximate finds a small cover, then few effects, each with a lower bound: m
// by iterated greedy, by cliques of atoms that need a column each, and by asking
// for all columns at once to close the gap; effects by slimming and by the least
// effects of the columns that the clique needs.
func (p *Problem) approximate(ctx context.Context, pool []*column, want bitset, m int, opt Options) *solution {
	seed := opt.Seed
	work := func(rate float64) int { return int(rate*opt.budget().Seconds()/float64(1+want.count())) + 1 }
	deadline, bounded := ctx.Deadline()
	share := func(part float64) (context.Context, context.CancelFunc) {
		if !bounded {
			return context.WithCancel(ctx)
		}
		return context.WithTimeout(ctx, time.Duration(part*float64(time.Until(deadline))))
	}
	first, stop := share(0.2)
	defer stop()
	best, core := p.smallCover(first, pool, want, seed, work(chainRate))
	o := newOracle(p)
	second, stop := share(0.1)
	defer stop()
	known := append(pool[:len(pool):len(pool)], best...)
	q := newClique(o, p.candidates(core, want, seed), known, seed)
	q.grow(second, cliqueTries)
	single := make([]int, len(q.best))
	for i, k := range q.best {
		single[i] = q.atoms[k]
	}
	bound := len(single)
	if (m == 0 || m < len(best)) && len(best)*len(p.graph.Edges) <= jointEdges {
		third, stop := share(0.6)
		defer stop()
		var fewer []*column
		if bound, fewer = p.closeGap(third, single, want, best); fewer != nil {
			best = fewer
		}
	}

	columns := best
	if m > 0 && m < len(best) {
		columns = p.bestOf(append(best, pool...), want, m)
	}
	covered := make(bitset, len(want))
	for _, c := range columns {
		covered.add(c.cover)
	}
	last, stop := share(0.85)
	defer stop()
	sl := &slimmer{o: o, want: covered, rng: rand.New(rand.NewPCG(seed, 2))}
	s := p.solution(columns, m)
	for round := range slimRounds {
		if last.Err() != nil {
			break
		}
		next := append([]*column(nil), columns...)
		fell := sl.round(last, next, round%2 == 1)
		if t := p.solution(next, m); !s.better(t) {
			s, columns = t, next
		}
		if !fell {
			break
		}
	}
	s = sl.thin(last, p, s, max(m, len(columns)), work(thinRate))
	s.bounds.Predicates = bound
	s.proved.Predicates = m > 0 || bound == len(s.columns)
	if m > 0 {
		s.bounds.Predicates = m
	}
	if m == 0 || m >= len(best) {
		for _, atom := range single {
			s.bounds.Effects += o.leastEffects(ctx, atom, effectCores)
		}
	}
	s.proved.Effects = s.bounds.Effects == s.effects
	if m == 0 || m >= len(best) {
		s.bounds.Preconditions = p.leastPreconditions(ctx, o, q.known, want, seed)
		s.proved.Preconditions = s.proved.Effects && s.bounds.Preconditions == s.preconditions
	}
	return s
}

// candidates are the atoms of the core and a random choice of others.
func (p *Problem) candidates(core []int, want bitset, seed uint64) []int {
	in := map[int]bool{}
	for _, atom := range core {
		in[atom] = true
	}
	all := members(want)
	rng := rand.New(rand.NewPCG(seed, 3))
	for _, k := range rng.Perm(len(all)) {
		if len(core) >= cliqueAtoms {
			break
		}
		if !in[all[k]] {
			core = append(core, all[k])
		}
	}
	return core
}

// leastPreconditions is a lower bound on the preconditions of any model that
// separates the atoms in want: for each action, a clique among its atoms.
func (p *Problem) leastPreconditions(ctx context.Context, o *oracle, known []*column, want bitset, seed uint64) int {
	sum := 0
	for a := range p.actions {
		atoms := members(p.of(want, a))
		for i := range atoms {
			atoms[i] = p.atom(a, atoms[i])
		}
		if len(atoms) == 0 {
			continue
		}
		q := newClique(o, atoms, known, seed)
		q.rng.Shuffle(len(atoms), func(i, j int) { atoms[i], atoms[j] = atoms[j], atoms[i] })
		q.atoms = atoms[:min(len(atoms), actionAtoms)]
		if ctx.Err() == nil {
			q.grow(ctx, actionTries)
		}
		sum += max(1, len(q.best))
	}
	return sum + len(p.free)
}

// smallCover runs the chains and returns the best cover and the atoms that made
// it hard.
func (p *Problem) smallCover(ctx context.Context, pool []*column, want bitset, seed uint64, rounds int) ([]*column, []int) {
	start := withoutRedundant(pool, want)
	many := want.count() > greedyAtoms
	all := make([]*iterated, chains)
	var done sync.WaitGroup
	for i := range all {
		all[i] = newIterated(newOracle(p), want, start, seed*chains+uint64(i))
		done.Go(func() {
			if !many {
				for range greedyStarts {
					all[i].restart(greedyCover(ctx, all[i].o, pool, want, all[i].rng))
				}
			}
			all[i].run(ctx, rounds)
		})
	}
	done.Wait()
	best := all[0]
	for _, it := range all[1:] {
		if len(it.best) < len(best.best) {
			best = it
		}
	}
	var core []int
	seen := map[int]bool{}
	for _, it := range all {
		for _, atom := range it.core {
			if !seen[atom] {
				seen[atom] = true
				core = append(core, atom)
			}
		}
	}
	return best.best, core
}

// bestOf chooses m columns that separate many atoms, greedily, and then exchanges
// single columns while that helps.
func (p *Problem) bestOf(columns []*column, want bitset, m int) []*column {
	var chosen []*column
	open := want.clone()
	for len(chosen) < m {
		chosen = append(chosen, mostOf(columns, open))
		open.remove(chosen[len(chosen)-1].cover)
	}
	for changed := true; changed; {
		changed = false
		for k := range chosen {
			open := want.clone()
			for j, c := range chosen {
				if j != k {
					open.remove(c.cover)
				}
			}
			if c := mostOf(columns, open); c.cover.common(open) > chosen[k].cover.common(open) {
				chosen[k], changed = c, true
			}
		}
	}
	return chosen
}

// mostOf is the first column that separates the most of the open atoms.
func mostOf(columns []*column, open bitset) *column {
	best, most := columns[0], -1
	for _, c := range columns {
		if n := c.cover.common(open); n > most {
			best, most = c, n
		}
	}
	return best
}
