package columns

import (
	"math"
	"stripswm/models/operators/internal/bitset"
	"stripswm/models/operators/internal/work"
)

// Work limits of the exact search.
const (
	coverNodes     = 1_000_000 // branch and bound nodes for the fewest columns
	choiceNodes    = 300_000   // and for the best choice of that many
	enumerateMost  = 2_000     // columns
	enumerateWork  = 400_000   // columns times states
	enumerateLeast = 200       // columns that must be affordable
)

// exact finds the best choice among all columns that matter: the fewest that
// separate every atom in want, or m if m > 0, then effects, then preconditions.
// What the work limits allow is proved.
func (p *Problem) exact(w *work.Work, all []*column, want bitset.Set, m int) *Solution {
	rows := membership(all, want)
	ones, effects := make([]int, len(all)), make([]int, len(all))
	for i, c := range all {
		ones[i], effects[i] = 1, c.effects
	}
	var fewest []int
	var least int
	w.Within(50, func() { fewest, least = hitting(w, rows, ones, coverNodes) })
	if m > 0 && m < len(fewest) {
		return p.partial(w, all, want, m, m < least)
	}
	size := max(m, len(fewest))
	best := p.solution(pick(all, fewest), size)
	cheapest, floor := math.MaxInt, math.MaxInt // effects, and the fewest preconditions with these
	complete := hittingAll(w, rows, effects, size, choiceNodes, func(choice []int, cost int) {
		columns := pick(all, choice)
		w.Spend(p.assembly(columns))
		least := p.leastRequired(columns)
		if cost < cheapest {
			cheapest, floor = cost, least
		}
		floor = min(floor, least)
		if cost == best.Effects && least >= best.Preconditions {
			return
		}
		if s := p.solution(columns, size); s.better(best) {
			best = s
		}
	})
	best.Proved.Predicates = m > 0 || least == len(fewest)
	best.Bounds.Predicates = least
	best.Bounds.Preconditions = p.constrained(want)
	if complete && best.Effects <= cheapest { // else it has more effects for less slack
		best.Proved.Effects, best.Bounds.Effects = true, best.Effects
		if p.onlyIrredundant(all, size, len(fewest)) {
			best.Bounds.Preconditions = max(best.Bounds.Preconditions, floor)
		}
		best.Proved.Preconditions = best.Preconditions == best.Bounds.Preconditions
	}
	return best
}

// leastRequired is a lower bound on the preconditions over the given columns or
// such as separate more; an action without an edge needs one over any.
func (p *Problem) leastRequired(columns []*column) int {
	least := len(p.free)
	for a := range p.actions {
		_, _, _, bound := p.require(a, columns)
		least += bound
	}
	return least
}

// onlyIrredundant says whether a best choice can be taken without columns that
// no atom needs: such a column costs effects, unless it has none, and could then
// still save preconditions.
func (p *Problem) onlyIrredundant(all []*column, size, fewest int) bool {
	if size == fewest {
		return true
	}
	for _, c := range all {
		if c.effects == 0 {
			return false
		}
	}
	return true
}

// constrained counts the actions that need a precondition at all.
func (p *Problem) constrained(want bitset.Set) int {
	n := len(p.free)
	for a := range p.actions {
		if !p.of(want, a).Empty() {
			n++
		}
	}
	return n
}

// membership is, for each atom, the set of the columns that separate it.
func membership(columns []*column, want bitset.Set) []bitset.Set {
	seen := map[string]bool{}
	var rows []bitset.Set
	for atom := range want.Each {
		row := bitset.New(len(columns))
		for i, c := range columns {
			if c.cover.Has(atom) {
				row.Set(i)
			}
		}
		if key := row.Key(); !seen[key] {
			seen[key] = true
			rows = append(rows, row)
		}
	}
	return rows
}

func pick(columns []*column, choice []int) []*column {
	out := make([]*column, len(choice))
	for k, i := range choice {
		out[k] = columns[i]
	}
	return out
}
