package operators

import (
	"context"
	"math"
	"time"
)

// Work limits of the exact search.
const (
	coverNodes        = 1_000_000   // branch and bound nodes for the fewest columns
	choiceNodes       = 300_000     // and for the best choice of that many
	enumerateMost     = 2_000       // columns
	enumerateWork     = 400_000     // columns times states
	enumerateLeast    = 200         // columns that must be affordable
	enumeratePatience = time.Second // for one column
)

// exact finds the best choice among all columns that matter: the fewest that
// separate every atom in want, or m if m > 0, then effects, then preconditions.
// What the work limits allow is proved.
func (p *Problem) exact(ctx context.Context, all []*column, want bitset, m int) *solution {
	rows := membership(all, want)
	ones, effects := make([]int, len(all)), make([]int, len(all))
	for i, c := range all {
		ones[i], effects[i] = 1, c.effects
	}
	fewest, least := hitting(ctx, rows, ones, coverNodes)
	if m > 0 && m < len(fewest) {
		return p.partial(ctx, all, want, m, m < least)
	}
	size := max(m, len(fewest))
	best := p.solution(pick(all, fewest), size)
	exactly := true // all preconditions were minimised to proof
	complete := hittingAll(ctx, rows, effects, size, math.MaxInt, choiceNodes, func(choice []int, cost int) {
		columns := pick(all, choice)
		if cost == best.effects && len(p.free) == 0 {
			count, least := p.preconditions(columns)
			exactly = exactly && least == count
			if least >= best.preconditions {
				return
			}
		}
		s := p.solution(columns, size)
		exactly = exactly && s.least == s.preconditions
		if s.better(best) {
			best = s
		}
	})
	best.proved.Predicates = m > 0 || least == len(fewest)
	best.bounds.Predicates = least
	best.proved.Effects = complete
	best.proved.Preconditions = complete && (exactly && p.onlyIrredundant(all, size, len(fewest)) || best.preconditions == p.constrained(want))
	if complete {
		best.bounds.Effects = best.effects
	}
	if best.proved.Preconditions {
		best.bounds.Preconditions = best.preconditions
	}
	return best
}

// preconditions counts what the actions need over the given columns, and a lower
// bound on that.
func (p *Problem) preconditions(columns []*column) (count, least int) {
	for a := range p.actions {
		pos, neg, _, bound := p.require(a, columns)
		count, least = count+len(pos)+len(neg), least+bound
	}
	return count, least
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
func (p *Problem) constrained(want bitset) int {
	n := len(p.free)
	for a := range p.actions {
		if !p.of(want, a).empty() {
			n++
		}
	}
	return n
}

// membership is, for each atom, the set of the columns that separate it.
func membership(columns []*column, want bitset) []bitset {
	seen := map[string]bool{}
	var rows []bitset
	for atom := range want.each {
		row := newBitset(len(columns))
		for i, c := range columns {
			if c.cover.has(atom) {
				row.set(i)
			}
		}
		if key := row.key(); !seen[key] {
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
