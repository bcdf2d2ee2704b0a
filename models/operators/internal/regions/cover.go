package regions

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/go-air/gini/z"

	"stripswm/models/internal/bitset"
)

// iterated improves a cover by iterated greedy, as for graph colouring: the
// regions partition the separation constraints into classes, and building regions greedily with
// whole classes in sequence, in any order of the classes, never needs more
// regions than before and sometimes fewer.
//
// Most separation constraints never matter, so it works on a core of them: it covers the core with
// fewer regions than the best cover has, stretches those over all separation constraints, and
// puts some of the separation constraints that stay open into the core.
type iterated struct {
	o     *oracle
	want  bitset.Set
	best  []*region
	core  []int
	round int
	rng   *rand.Rand
}

func newIterated(o *oracle, want bitset.Set, best []*region, seed uint64) *iterated {
	return &iterated{o: o, want: want, best: best, rng: rand.New(rand.NewPCG(seed, streamCover))}
}

// restart takes over a cover if it is smaller.
func (it *iterated) restart(regions []*region) {
	if len(regions) < len(it.best) {
		it.best = regions
	}
}

// run goes on until the work ends. Every
// third round recolours all separation constraints.
func (it *iterated) run() {
	if len(it.core) == 0 {
		it.harden(members(it.want))
	}
	all := members(it.want)
	current := it.best
	for !it.o.w.Over() && len(it.best) > 1 {
		it.round++
		if it.round%3 == 0 && len(all) <= greedyConstraints {
			if next := it.recolour(it.best, all); !it.o.w.Over() && len(next) <= len(it.best) {
				it.best = next
			}
			continue
		}
		next := it.recolour(current, it.core)
		if it.o.w.Over() {
			return
		}
		current = next
		if len(current) >= len(it.best) {
			continue
		}
		full, open := it.complete(current)
		if it.o.w.Over() {
			return
		}
		if len(open) == 0 {
			it.best, current = full, full
			continue
		}
		it.harden(open)
	}
}

// harden adds some open separation constraints to the core.
func (it *iterated) harden(open []int) {
	it.rng.Shuffle(len(open), func(i, j int) { open[i], open[j] = open[j], open[i] })
	it.core = append(it.core, open[:min(len(open), 20)]...)
}

// recolour covers separation constraints again, class by class.
func (it *iterated) recolour(regions []*region, constraints []int) []*region {
	var open []int
	for _, class := range it.classes(regions, constraints) {
		open = append(open, class...)
	}
	var out []*region
	for len(open) > 0 && !it.o.w.Over() {
		c := stretch(it.o, open, chainConstraints)
		out = append(out, c)
		rest := open[:0]
		for _, constraint := range open {
			if !c.cover.Has(constraint) {
				rest = append(rest, constraint)
			}
		}
		open = rest
	}
	return out
}

// classes splits separation constraints by the region that separates them first, in a random
// order of the regions; what none separates comes last.
func (it *iterated) classes(regions []*region, constraints []int) [][]int {
	classes := make([][]int, len(regions)+1)
	order := it.rng.Perm(len(regions))
	for _, constraint := range it.o.p.shuffled(slices.Clone(constraints), it.rng) {
		place := len(regions)
		for i, j := range order {
			if regions[j].cover.Has(constraint) {
				place = i
				break
			}
		}
		classes[place] = append(classes[place], constraint)
	}
	return classes
}

// complete stretches the regions, each kept on its share of the core, over all
// separation constraints and returns what stays open.
func (it *iterated) complete(regions []*region) ([]*region, []int) {
	open := it.want.Clone()
	var full []*region
	classes := it.classes(regions, it.core)
	rest := classes[len(regions)]
	others := it.o.p.shuffled(members(it.want), it.rng)
	for _, class := range classes[:len(regions)] {
		if len(class) == 0 {
			continue
		}
		for _, constraint := range class {
			open.Clear(constraint)
		}
		order := append(class, rest...)
		for _, constraint := range others {
			if open.Has(constraint) {
				order = append(order, constraint)
			}
		}
		c := stretch(it.o, order, chainConstraints)
		if c == nil {
			break
		}
		full = append(full, c)
		open.Remove(c.cover)
	}
	left := it.want.Clone()
	for _, c := range full {
		left.Remove(c.cover)
	}
	return full, members(left)
}

// greedyCover builds regions one after the other, each stretched over as many open constraints as
// the oracle allows, until every constraint in want is separated. If the work ends first, it takes
// the rest from the pool.
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
	st := &stretcher{o: o, has: map[z.Lit]bool{}}
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

// stretcher is a region under construction.
type stretcher struct {
	o    *oracle
	best *region        // agrees with what is held
	has  map[z.Lit]bool // what the oracle holds
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
	assumption := st.o.separating(constraint, sign)
	x, ok := st.o.solve(assumption[:]...)
	if ok {
		st.best = st.o.p.mustRegion(x)
		st.fix(constraint, sign)
	}
	return ok
}

func (st *stretcher) fix(constraint, sign int) {
	assumption := st.o.separating(constraint, sign)
	var more []z.Lit
	for _, lit := range assumption {
		if !st.has[lit] {
			st.has[lit] = true
			more = append(more, lit)
		}
	}
	st.o.hold(more...)
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
