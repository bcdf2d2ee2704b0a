package regions

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/go-air/gini/z"

	"stripswm/models/internal/bitset"
)

// smallCover covers the constraints greedily, again and again, each time with whole classes of the
// smallest cover in sequence: the constraints that a region separates first. That needs no more
// regions than before and sometimes fewer, whatever the order of the classes, as in colouring
// graphs by iterated greedy. It returns the smallest cover and all regions that it met.
func smallCover(o *oracle, pool []*region, want bitset.Set, seed uint64) (best, known []*region) {
	rng := rand.New(rand.NewPCG(seed, streamCover))
	best, known = withoutRedundant(pool, want), slices.Clone(pool)
	order := o.p.shuffled(members(want), rng)
	for range greedyRounds {
		next := greedyCover(o, slices.Clone(order))
		if o.w.Over() {
			break
		}
		known = append(known, next...)
		if len(next) <= len(best) {
			best = next
		}
		order = order[:0]
		open := want.Clone()
		for _, i := range rng.Perm(len(best)) {
			class := best[i].cover.Clone()
			class.Keep(open)
			open.Remove(class)
			order = append(order, o.p.shuffled(members(class), rng)...)
		}
	}
	return best, known
}

// greedyCover builds regions one after the other, each stretched over as many of the constraints as
// the oracle allows, until all are separated or the work ends.
func greedyCover(o *oracle, constraints []int) (cover []*region) {
	for len(constraints) > 0 && !o.w.Over() {
		c := stretch(o, constraints)
		cover = append(cover, c)
		constraints = slices.DeleteFunc(constraints, c.cover.Has)
	}
	return cover
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

// stretch finds a region for the first of the given constraints, which some region must separate,
// and forces ever more of them onto it, in their order, until many in a row have failed.
func stretch(o *oracle, constraints []int) (best *region) {
	defer o.release()
	held := map[z.Lit]bool{}
	fix := func(constraint, sign int) {
		var more []z.Lit
		for _, lit := range o.separating(constraint, sign) {
			if !held[lit] {
				held[lit] = true
				more = append(more, lit)
			}
		}
		o.hold(more...)
	}
	try := func(constraint, sign int) bool {
		values := o.separating(constraint, sign)
		x, ok := o.solve(values[:]...)
		if ok {
			best = o.p.mustRegion(x)
			fix(constraint, sign)
		}
		return ok
	}
	failed := 0
	for _, constraint := range constraints {
		switch {
		case best == nil:
			try(constraint, +1) // the complement separates the same
		case failed > patience || o.w.Over():
			return best
		case best.cover.Has(constraint):
			fix(constraint, best.sign(o.p, constraint))
		case !try(constraint, +1) && !try(constraint, -1):
			failed++
			continue
		}
		failed = 0
	}
	return best
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
