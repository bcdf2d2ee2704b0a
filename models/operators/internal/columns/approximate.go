package columns

import (
	"math/rand/v2"
	"stripswm/models/operators/internal/bitset"
	"stripswm/models/operators/internal/work"
	"sync"
)

// Limits of the search for small covers where the columns are too many to list.
const (
	chains       = 2       // independent improvements, one a core
	greedyAtoms  = 40000   // for which greedy covers are worth their time
	greedyStarts = 4       // greedy covers to choose from
	chainAtoms   = 2000    // attempts in a row that may fail while a column is stretched
	cliqueTries  = 300     // starts
	jointEdges   = 400_000 // edges times columns that are asked for at once
	cliqueAtoms  = 2000    // among which cliques are sought
	actionAtoms  = 200     // and for the preconditions of one action
	actionTries  = 4       // starts there
	slimRounds   = 10      // rounds over all columns
	sparseAtoms  = 300     // attempts in a row that may fail while a sparse column is stretched
	effectCores  = 200     // cores for a lower bound on one column's effects
)

// approximate finds a small cover, then few effects, each with a lower bound: m
// by iterated greedy, by cliques of atoms that need a column each, and by asking
// for all columns at once to close the gap; effects by slimming and by the least
// effects of the columns that the clique needs. Each phase has a share of the
// work that the phases before it left.
func (p *Problem) approximate(w *work.Work, pool []*column, want bitset.Set, m int, seed uint64) *Solution {
	var best []*column
	var core []int
	w.Within(15, func() { best, core = p.smallCover(w, pool, want, seed) })
	o := newOracle(p, w)
	q := newClique(o, p.candidates(core, want, seed), append(pool[:len(pool):len(pool)], best...), seed)
	w.Within(15, func() { q.grow(cliqueTries) })
	single := make([]int, len(q.best))
	for i, k := range q.best {
		single[i] = q.atoms[k]
	}
	bound := len(single)
	if (m == 0 || m < len(best)) && len(best)*len(p.graph.Edges) <= jointEdges {
		w.Within(75, func() {
			var fewer []*column
			if bound, fewer = p.closeGap(w, single, want, best); fewer != nil {
				best = fewer
			}
		})
	}
	columns := best
	short := m > 0 && m < len(best) // of columns
	if short {
		columns = p.bestOf(append(best, pool...), want, m)
	}
	var s *Solution
	w.Within(85, func() { s = p.fewEffects(o, columns, m, seed) })
	s.Bounds.Predicates, s.Proved.Predicates = bound, bound == len(s.columns)
	if m > 0 {
		s.Bounds.Predicates, s.Proved.Predicates = m, true
	}
	if short {
		s.Proved.Effects = s.Effects == 0
		return s
	}
	for _, atom := range single {
		s.Bounds.Effects += o.leastEffects(atom, effectCores)
	}
	s.Proved.Effects = s.Bounds.Effects == s.Effects
	s.Bounds.Preconditions = p.leastPreconditions(o, q.known, want, seed)
	s.Proved.Preconditions = s.Proved.Effects && s.Bounds.Preconditions == s.Preconditions
	return s
}

// fewEffects slims the columns and makes a model of them, with constant ones added
// up to m.
func (p *Problem) fewEffects(o *oracle, columns []*column, m int, seed uint64) *Solution {
	covered := make(bitset.Set, len(p.atoms))
	for _, c := range columns {
		covered.Add(c.cover)
	}
	sl := &slimmer{o: o, want: covered, rng: rand.New(rand.NewPCG(seed, 2))}
	s := sl.solution(columns, m)
	for round := 0; round < slimRounds && !o.w.Over(); round++ {
		next := append([]*column(nil), columns...)
		fell := sl.round(next, round%2 == 1)
		if t := sl.solution(next, m); !s.better(t) {
			s, columns = t, next
		}
		if !fell {
			break
		}
	}
	return sl.thin(s, max(m, len(columns)))
}

// candidates are the atoms of the core and a random choice of others.
func (p *Problem) candidates(core []int, want bitset.Set, seed uint64) []int {
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
func (p *Problem) leastPreconditions(o *oracle, known []*column, want bitset.Set, seed uint64) int {
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
		if !o.w.Over() {
			q.grow(actionTries)
		}
		sum += max(1, len(q.best))
	}
	return sum + len(p.free)
}

// smallCover runs the chains and returns the best cover and the atoms that made
// it hard.
func (p *Problem) smallCover(w *work.Work, pool []*column, want bitset.Set, seed uint64) ([]*column, []int) {
	start := withoutRedundant(pool, want)
	many := want.Count() > greedyAtoms
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
	w.Join(each)
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
func (p *Problem) bestOf(columns []*column, want bitset.Set, m int) []*column {
	var chosen []*column
	open := want.Clone()
	for len(chosen) < m {
		chosen = append(chosen, mostOf(columns, open))
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
			if c := mostOf(columns, open); c.cover.Common(open) > chosen[k].cover.Common(open) {
				chosen[k], changed = c, true
			}
		}
	}
	return chosen
}

// mostOf is the first column that separates the most of the open atoms.
func mostOf(columns []*column, open bitset.Set) *column {
	best, most := columns[0], -1
	for _, c := range columns {
		if n := c.cover.Common(open); n > most {
			best, most = c, n
		}
	}
	return best
}
