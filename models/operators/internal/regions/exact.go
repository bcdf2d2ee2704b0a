package regions

import (
	"math"
	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"
)

// Work limits of the exact search.
const (
	coverNodes     = 1_000_000 // branch and bound nodes for the fewest regions
	choiceNodes    = 300_000   // and for the best choice of that many
	enumerateMost  = 2_000     // regions
	enumerateWork  = 400_000   // regions times states
	enumerateLeast = 200       // regions that must be affordable
)

// exact finds the best choice among all regions that matter: the fewest that
// separate every separation constraint in want, or m if m > 0, then effects, then preconditions.
// What the work limits allow is proved.
func (p *Problem) exact(w *work.Work, all []*region, want bitset.Set, m int) *Solution {
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
		regions := pick(all, choice)
		w.Spend(p.assembly(regions))
		least := p.leastRequired(regions)
		if cost < cheapest {
			cheapest, floor = cost, least
		}
		floor = min(floor, least)
		if cost == best.Effects && least >= best.Preconditions {
			return
		}
		if s := p.solution(regions, size); s.better(best) {
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

// leastRequired is a lower bound on the preconditions over the given regions or
// such as separate more; an action without an edge needs one over any.
func (p *Problem) leastRequired(regions []*region) int {
	least := len(p.free)
	for a := range p.actions {
		_, _, _, bound := p.require(a, regions)
		least += bound
	}
	return least
}

// onlyIrredundant says whether a best choice can be taken without regions that
// no separation constraint needs: such a region costs effects, unless it has none, and could then
// still save preconditions.
func (p *Problem) onlyIrredundant(all []*region, size, fewest int) bool {
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

// membership is, for each separation constraint, the set of the regions that separate it.
func membership(regions []*region, want bitset.Set) []bitset.Set {
	seen := map[string]bool{}
	var rows []bitset.Set
	for constraint := range want.Each {
		row := bitset.New(len(regions))
		for i, c := range regions {
			if c.cover.Has(constraint) {
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

func pick(regions []*region, choice []int) []*region {
	out := make([]*region, len(choice))
	for k, i := range choice {
		out[k] = regions[i]
	}
	return out
}
