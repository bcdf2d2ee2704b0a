package columns

import (
	"math/rand/v2"
	"slices"
	"stripswm/models/operators/internal/bitset"
)

// iterated improves a cover by iterated greedy, as for graph colouring: the
// columns partition the atoms into classes, and building columns greedily with
// whole classes in sequence, in any order of the classes, never needs more
// columns than before and sometimes fewer.
//
// Most atoms never matter, so it works on a core of them: it covers the core with
// fewer columns than the best cover has, stretches those over all atoms, and
// puts some of the atoms that stay open into the core.
type iterated struct {
	o     *oracle
	want  bitset.Set
	best  []*column
	core  []int
	round int
	rng   *rand.Rand
}

func newIterated(o *oracle, want bitset.Set, best []*column, seed uint64) *iterated {
	return &iterated{o: o, want: want, best: best, rng: rand.New(rand.NewPCG(seed, 0))}
}

// restart takes over a cover if it is smaller.
func (it *iterated) restart(columns []*column) {
	if len(columns) < len(it.best) {
		it.best = columns
	}
}

// run goes on until the work ends. Every
// third round recolours all atoms.
func (it *iterated) run() {
	if len(it.core) == 0 {
		it.harden(members(it.want))
	}
	all := members(it.want)
	current := it.best
	for !it.o.w.Over() && len(it.best) > 1 {
		it.round++
		if it.round%3 == 0 && len(all) <= greedyAtoms {
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

// harden adds some open atoms to the core.
func (it *iterated) harden(open []int) {
	it.rng.Shuffle(len(open), func(i, j int) { open[i], open[j] = open[j], open[i] })
	it.core = append(it.core, open[:min(len(open), 20)]...)
}

// recolour covers atoms anew, class by class.
func (it *iterated) recolour(columns []*column, atoms []int) []*column {
	var open []int
	for _, class := range it.classes(columns, atoms) {
		open = append(open, class...)
	}
	var out []*column
	for len(open) > 0 && !it.o.w.Over() {
		c := stretch(it.o, open, chainAtoms)
		out = append(out, c)
		rest := open[:0]
		for _, atom := range open {
			if !c.cover.Has(atom) {
				rest = append(rest, atom)
			}
		}
		open = rest
	}
	return out
}

// classes splits atoms by the column that separates them first, in a random
// order of the columns; what none separates comes last.
func (it *iterated) classes(columns []*column, atoms []int) [][]int {
	classes := make([][]int, len(columns)+1)
	order := it.rng.Perm(len(columns))
	for _, atom := range it.o.p.shuffled(slices.Clone(atoms), it.rng) {
		place := len(columns)
		for i, j := range order {
			if columns[j].cover.Has(atom) {
				place = i
				break
			}
		}
		classes[place] = append(classes[place], atom)
	}
	return classes
}

// complete stretches the columns, each kept on its share of the core, over all
// atoms and returns what stays open.
func (it *iterated) complete(columns []*column) ([]*column, []int) {
	open := it.want.Clone()
	var full []*column
	classes := it.classes(columns, it.core)
	rest := classes[len(columns)]
	others := it.o.p.shuffled(members(it.want), it.rng)
	for _, class := range classes[:len(columns)] {
		if len(class) == 0 {
			continue
		}
		for _, atom := range class {
			open.Clear(atom)
		}
		order := append(class, rest...)
		for _, atom := range others {
			if open.Has(atom) {
				order = append(order, atom)
			}
		}
		c := stretch(it.o, order, chainAtoms)
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
