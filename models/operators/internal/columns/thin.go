package columns

import (
	"slices"
)

// thin lowers effects and then preconditions of a cover of at most m columns by
// random moves, each followed by slimming, and returns the best. A move adds a
// column with few effects, so that the others have less to separate, or splits
// what two columns separate between them anew.
func (sl *slimmer) thin(s *Solution, m int) *Solution {
	columns := withoutConstant(sl.o.p, s.columns)
	for move := 0; !sl.o.w.Over() && len(columns) > 0; move++ {
		var next []*column
		switch {
		case move%4 == 3:
			next = slices.Clone(columns)
			sl.round(next, true)
		case len(columns) < m && move%2 == 0:
			next = sl.extend(columns)
		default:
			next = sl.resplit(columns)
		}
		if next == nil || sl.o.w.Over() {
			continue
		}
		if effects(next) > s.Effects {
			continue
		}
		if t := sl.solution(next, m); t.Eta <= s.Eta && !s.better(t) {
			s, columns = t, next
		}
	}
	return s
}

func effects(columns []*column) int {
	sum := 0
	for _, c := range columns {
		sum += c.effects
	}
	return sum
}

// extend adds a column with few effects for a random atom, slims the others and
// drops those that became redundant.
func (sl *slimmer) extend(columns []*column) []*column {
	atoms := members(sl.want)
	c := sl.sparse(atoms[sl.rng.IntN(len(atoms))], nil)
	next := append(slices.Clone(columns), c)
	sl.round(next, false)
	return withoutRedundant(next, sl.want)
}

// resplit takes two columns out and builds them anew: one with few effects for
// some of what only they separate, one for the rest. It returns nil if one column
// cannot separate the rest.
func (sl *slimmer) resplit(columns []*column) []*column {
	if len(columns) < 2 {
		return nil
	}
	i := sl.rng.IntN(len(columns))
	j := sl.rng.IntN(len(columns) - 1)
	if j >= i {
		j++
	}
	open := sl.want.Clone()
	for k, c := range columns {
		if k != i && k != j {
			open.Remove(c.cover)
		}
	}
	next := slices.Clone(columns)
	atoms := sl.o.p.shuffled(members(open), sl.rng)
	if len(atoms) == 0 {
		return withoutRedundant(next, sl.want)
	}
	next[i] = sl.sparse(atoms[0], atoms)
	rest := slices.DeleteFunc(atoms, next[i].cover.Has)
	if len(rest) == 0 {
		return slices.Delete(next, j, j+1)
	}
	next[j] = stretch(sl.o, rest, 0)
	for _, atom := range rest {
		if !next[j].cover.Has(atom) {
			return nil
		}
	}
	open.Remove(next[i].cover)
	next[j] = sl.slim(next[j], open, true)
	return next
}

// sparse is a column with few effects that separates an atom and, without more
// effects, as many as it can of some others, or of all.
func (sl *slimmer) sparse(atom int, others []int) *column {
	way := sl.o.apart(atom, +1)
	x, _ := sl.o.solve(way[:]...)
	c := sl.slimWith(sl.o.p.mustColumn(x), way[:], true)
	st := newStretcher(sl.o)
	defer sl.o.release()
	st.best = c
	st.fix(atom, c.way(sl.o.p, atom))
	for a, does := range c.does {
		if does == inert && !sl.o.p.actions[a].sources.Empty() {
			sl.o.hold(sl.o.still(a)...)
		}
	}
	if others == nil {
		others = sl.o.p.shuffled(members(sl.want), sl.rng)
	}
	failed := 0
	for _, k := range others {
		if failed > sparseAtoms || sl.o.w.Over() {
			break
		}
		if st.force(k) {
			failed = 0
		} else {
			failed++
		}
	}
	return st.best
}

// withoutConstant drops the columns that only fill up.
func withoutConstant(p *Problem, columns []*column) []*column {
	var out []*column
	for _, c := range columns {
		if n := c.x.Count(); n > 0 && n < p.states {
			out = append(out, c)
		}
	}
	return out
}
