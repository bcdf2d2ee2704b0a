package regions

import (
	"math/rand/v2"
	"slices"
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
	return &iterated{o: o, want: want, best: best, rng: rand.New(rand.NewPCG(seed, streamIterate))}
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
