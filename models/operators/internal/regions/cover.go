package regions

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"stripswm/models/internal/bitset"

	"github.com/go-air/gini/z"
)

// greedyCover builds regions one after the other, each stretched over as many open separation
// constraints as the oracle allows, until every separation constraint in want is separated. If the
// work ends first, it falls back on the pool.
func greedyCover(o *oracle, pool []*region, want bitset.Set, rng *rand.Rand) []*region {
	open := want.Clone()
	var chosen []*region
	for !open.Empty() {
		var c *region
		if !o.w.Over() {
			c = stretch(o, o.p.shuffled(members(open), rng), len(want)*64)
		} else {
			c = mostOf(pool, open)
		}
		chosen = append(chosen, c)
		open.Remove(c.cover)
	}
	return withoutRedundant(chosen, want)
}

// shuffled orders separation constraints at random but keeps those of an action together: a region
// that is constant on the sources of an action should separate all it can there.
func (p *Problem) shuffled(constraints []int, rng *rand.Rand) []int {
	rank := rng.Perm(len(p.actions) + 1 + len(p.distinct)/(64*max(1, p.words)))
	slices.SortFunc(constraints, func(x, y int) int {
		a, s := p.pair(x)
		b, t := p.pair(y)
		return cmp.Or(cmp.Compare(rank[a], rank[b]), cmp.Compare(s, t))
	})
	return constraints
}

// stretch finds a region for the first of the given separation constraints and forces ever more of
// them onto it, in their order, until patience attempts in a row have failed.
func stretch(o *oracle, constraints []int, patience int) *region {
	st := newStretcher(o)
	defer o.release()
	failed := 0
	for _, constraint := range constraints {
		if st.best != nil && (failed > patience || o.w.Over()) {
			break
		}
		if st.force(constraint) {
			failed = 0
		} else {
			failed++
		}
	}
	return st.best
}

// failures is what is known about an action while a region is stretched: by sign,
// whether its sources can no longer all be true (+1) or all false (-1). What was
// impossible stays so, since what is held only grows.
type failures struct{ noPos, noNeg, pos, neg bool }

// stretcher is a region under construction.
type stretcher struct {
	o        *oracle
	best     *region        // agrees with what is held
	has      map[z.Lit]bool // what the oracle holds
	failures []failures
}

func newStretcher(o *oracle) *stretcher {
	return &stretcher{o: o, has: map[z.Lit]bool{}, failures: make([]failures, len(o.p.actions))}
}

// force holds the region to what it needs so that it separates the separation constraint too, if it
// can.
func (st *stretcher) force(constraint int) bool {
	if st.best == nil {
		return st.try(constraint, +1) // the complement separates the same
	}
	if st.best.cover.Has(constraint) {
		st.fix(constraint, st.best.sign(st.o.p, constraint))
		return true
	}
	return st.try(constraint, +1) || st.try(constraint, -1)
}

func (st *stretcher) try(constraint, sign int) bool {
	a, _ := st.o.p.pair(constraint)
	if a < len(st.failures) && st.closed(a, sign) {
		return false
	}
	assumption := st.o.distinct(constraint, sign)
	if x, ok := st.o.solve(assumption[:]...); ok {
		st.best = st.o.p.mustRegion(x)
		st.fix(constraint, sign)
		return true
	}
	return false
}

// closed says whether the sources of a cannot all have the value of the sign,
// as far as the oracle has to be asked.
func (st *stretcher) closed(a, sign int) bool {
	w := &st.failures[a]
	no, yes := &w.noPos, &w.pos
	if sign < 0 {
		no, yes = &w.noNeg, &w.neg
	}
	if *no || *yes || st.best == nil {
		return *no
	}
	if int(st.best.side[a]) == sign {
		return false
	}
	*no = !st.o.possible(st.o.side(a, sign))
	return *no
}

func (st *stretcher) fix(constraint, sign int) {
	assumption := st.o.distinct(constraint, sign)
	var more []z.Lit
	for _, lit := range assumption {
		if !st.has[lit] {
			st.has[lit] = true
			more = append(more, lit)
		}
	}
	st.o.hold(more...)
	if a, _ := st.o.p.pair(constraint); a < len(st.failures) {
		w := &st.failures[a]
		w.pos, w.noNeg = w.pos || sign > 0, w.noNeg || sign > 0
		w.neg, w.noPos = w.neg || sign < 0, w.noPos || sign < 0
	}
}

// withoutRedundant drops regions whose separation constraints others separate too.
func withoutRedundant(regions []*region, want bitset.Set) []*region {
	for k := 0; k < len(regions); {
		rest := want.Clone()
		for j, c := range regions {
			if j != k {
				rest.Remove(c.cover)
			}
		}
		if rest.Empty() {
			regions = append(regions[:k:k], regions[k+1:]...)
			continue
		}
		k++
	}
	return regions
}
