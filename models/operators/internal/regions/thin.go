package regions

import (
	"slices"
)

// thin lowers effects and then preconditions of a cover of at most m regions by
// random moves, each followed by slimming, and returns the best. A move adds a
// region with few effects, so that the others have less to separate, or splits
// what two regions separate between them again.
func (sl *slimmer) thin(s *Solution, m int) *Solution {
	regions := withoutConstant(sl.o.p, s.regions)
	for move := 0; !sl.o.w.Over() && len(regions) > 0; move++ {
		var next []*region
		switch {
		case move%4 == 3:
			next = slices.Clone(regions)
			sl.round(next, true)
		case len(regions) < m && move%2 == 0:
			next = sl.extend(regions)
		default:
			next = sl.resplit(regions)
		}
		if next == nil || sl.o.w.Over() {
			continue
		}
		if effects(next) > s.Effects {
			continue
		}
		if t := sl.solution(next, m); t.Eta <= s.Eta && !s.better(t) {
			s, regions = t, next
		}
	}
	return s
}

func effects(regions []*region) int {
	sum := 0
	for _, c := range regions {
		sum += c.effects
	}
	return sum
}

// extend adds a region with few effects for a random separation constraint, slims the others and
// drops those that became redundant.
func (sl *slimmer) extend(regions []*region) []*region {
	constraints := members(sl.want)
	c := sl.sparse(constraints[sl.rng.IntN(len(constraints))], nil)
	next := append(slices.Clone(regions), c)
	sl.round(next, false)
	return withoutRedundant(next, sl.want)
}

// resplit takes two regions out and builds them again: one with few effects for
// some of what only they separate, one for the rest. It returns nil if one region
// cannot separate the rest.
func (sl *slimmer) resplit(regions []*region) []*region {
	if len(regions) < 2 {
		return nil
	}
	i := sl.rng.IntN(len(regions))
	j := sl.rng.IntN(len(regions) - 1)
	if j >= i {
		j++
	}
	open := sl.want.Clone()
	for k, c := range regions {
		if k != i && k != j {
			open.Remove(c.cover)
		}
	}
	next := slices.Clone(regions)
	constraints := sl.o.p.shuffled(members(open), sl.rng)
	if len(constraints) == 0 {
		return withoutRedundant(next, sl.want)
	}
	next[i] = sl.sparse(constraints[0], constraints)
	rest := slices.DeleteFunc(constraints, next[i].cover.Has)
	if len(rest) == 0 {
		return slices.Delete(next, j, j+1)
	}
	next[j] = stretch(sl.o, rest, 0)
	for _, constraint := range rest {
		if !next[j].cover.Has(constraint) {
			return nil
		}
	}
	open.Remove(next[i].cover)
	next[j] = sl.slim(next[j], open, true)
	return next
}

// sparse is a region with few effects that separates a separation constraint and, without more
// effects, as many as it can of some others, or of all.
func (sl *slimmer) sparse(constraint int, others []int) *region {
	assumption := sl.o.distinct(constraint, +1)
	x, _ := sl.o.solve(assumption[:]...)
	c := sl.slimWith(sl.o.p.mustRegion(x), assumption[:], true)
	st := newStretcher(sl.o)
	defer sl.o.release()
	st.best = c
	st.fix(constraint, c.sign(sl.o.p, constraint))
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
		if failed > sparseConstraints || sl.o.w.Over() {
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

// withoutConstant drops the regions that only fill up.
func withoutConstant(p *Problem, regions []*region) []*region {
	var out []*region
	for _, c := range regions {
		if n := c.x.Count(); n > 0 && n < p.states {
			out = append(out, c)
		}
	}
	return out
}
