package columns

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"stripswm/models/operators/internal/bitset"

	"github.com/go-air/gini/z"
)

// greedyCover builds columns one after the other, each stretched over as many
// open atoms as the oracle allows, until every atom in want is separated. If the
// work ends first, it falls back on the pool.
func greedyCover(o *oracle, pool []*column, want bitset.Set, rng *rand.Rand) []*column {
	open := want.Clone()
	var chosen []*column
	for !open.Empty() {
		var c *column
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

// shuffled orders atoms at random but keeps those of an action together: a column
// that is constant on the sources of an action should separate all it can there.
func (p *Problem) shuffled(atoms []int, rng *rand.Rand) []int {
	rank := rng.Perm(len(p.actions) + 1 + len(p.apart)/(64*max(1, p.words)))
	slices.SortFunc(atoms, func(x, y int) int {
		a, s := p.pair(x)
		b, t := p.pair(y)
		return cmp.Or(cmp.Compare(rank[a], rank[b]), cmp.Compare(s, t))
	})
	return atoms
}

// stretch finds a column for the first of the given atoms and forces ever more of
// them onto it, in their order, until patience attempts in a row have failed.
func stretch(o *oracle, atoms []int, patience int) *column {
	st := newStretcher(o)
	defer o.release()
	failed := 0
	for _, atom := range atoms {
		if st.best != nil && (failed > patience || o.w.Over()) {
			break
		}
		if st.force(atom) {
			failed = 0
		} else {
			failed++
		}
	}
	return st.best
}

// ways is what is known about an action while a column is stretched: by sign,
// whether its sources can no longer all be true (+1) or all false (-1). What was
// impossible stays so, since what is held only grows.
type ways struct{ noPos, noNeg, pos, neg bool }

// stretcher is a column under construction.
type stretcher struct {
	o    *oracle
	best *column        // agrees with what is held
	has  map[z.Lit]bool // what the oracle holds
	ways []ways
}

func newStretcher(o *oracle) *stretcher {
	return &stretcher{o: o, has: map[z.Lit]bool{}, ways: make([]ways, len(o.p.actions))}
}

// force holds the column to what it needs so that it separates the atom too, if it can.
func (st *stretcher) force(atom int) bool {
	if st.best == nil {
		return st.try(atom, +1) // the complement separates the same
	}
	if st.best.cover.Has(atom) {
		st.fix(atom, st.best.way(st.o.p, atom))
		return true
	}
	return st.try(atom, +1) || st.try(atom, -1)
}

func (st *stretcher) try(atom, sign int) bool {
	a, _ := st.o.p.pair(atom)
	if a < len(st.ways) && st.closed(a, sign) {
		return false
	}
	way := st.o.apart(atom, sign)
	if x, ok := st.o.solve(way[:]...); ok {
		st.best = st.o.p.mustColumn(x)
		st.fix(atom, sign)
		return true
	}
	return false
}

// closed says whether the sources of a cannot all have the value of the sign,
// as far as the oracle has to be asked.
func (st *stretcher) closed(a, sign int) bool {
	w := &st.ways[a]
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

func (st *stretcher) fix(atom, sign int) {
	way := st.o.apart(atom, sign)
	var more []z.Lit
	for _, lit := range way {
		if !st.has[lit] {
			st.has[lit] = true
			more = append(more, lit)
		}
	}
	st.o.hold(more...)
	if a, _ := st.o.p.pair(atom); a < len(st.ways) {
		w := &st.ways[a]
		w.pos, w.noNeg = w.pos || sign > 0, w.noNeg || sign > 0
		w.neg, w.noPos = w.neg || sign < 0, w.noPos || sign < 0
	}
}

// withoutRedundant drops columns whose atoms others separate too.
func withoutRedundant(columns []*column, want bitset.Set) []*column {
	for k := 0; k < len(columns); {
		rest := want.Clone()
		for j, c := range columns {
			if j != k {
				rest.Remove(c.cover)
			}
		}
		if rest.Empty() {
			columns = append(columns[:k:k], columns[k+1:]...)
			continue
		}
		k++
	}
	return columns
}
