package regions

import (
	"cmp"
	"slices"
	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"
)

// partial chooses m regions, too few to separate every separation constraint in want, so that
// they separate the most, then with the fewest effects, then preconditions.
// short says that m regions are proved to be too few.
func (p *Problem) partial(w *work.Work, all []*region, want bitset.Set, m int,
	short bool,
) *Solution {
	b := &partialSearch{p: p, w: w, all: all, m: m, nodes: choiceNodes,
		outside: p.constraints.Count() - want.Count()}
	b.greedy(want.Clone())
	b.branch(nil, want, 0)
	s := b.best
	s.Bounds.Predicates, s.Proved.Predicates = m, true
	if b.nodes > 0 {
		s.Proved.Eta, s.Proved.Effects, s.Proved.Preconditions = true, true, s.Preconditions == b.floor
		s.Bounds.Eta, s.Bounds.Effects, s.Bounds.Preconditions = s.Eta, s.Effects, b.floor
	} else if short {
		s.Bounds.Eta = p.constraints.Count() - want.Count() + 1
	}
	return s
}

// partialSearch is branch and bound over the choices of m regions. What the open
// regions add to the cover only shrinks as the choice grows, so the largest gains
// left bound what can still be separated.
type partialSearch struct {
	p       *Problem
	w       *work.Work
	all     []*region
	m       int
	nodes   int
	best    *Solution
	floor   int // lower bound on the preconditions with the slack, eta and effects of best
	outside int // separation constraints that no region separates
}

// branch takes regions in the order of their number, so that each choice comes
// once.
func (b *partialSearch) branch(chosen []*region, open bitset.Set, from int) {
	b.w.Spend(1 + int64(len(b.all)*len(open)))
	if b.nodes--; b.nodes <= 0 || b.w.Over() {
		b.nodes = 0
		return
	}
	var options, gains []int
	for i := from; i < len(b.all); i++ {
		if gain := b.all[i].cover.Common(open); gain > 0 {
			options, gains = append(options, i), append(gains, gain)
		}
	}
	room := b.m - len(chosen)
	if room == 0 || len(options) == 0 {
		b.leaf(chosen)
		return
	}
	slices.SortFunc(gains, func(x, y int) int { return cmp.Compare(y, x) })
	left := open.Count() + b.outside
	for _, gain := range gains[:min(room, len(gains))] {
		left -= gain
	}
	effects := 0
	for _, c := range chosen {
		effects += c.effects
	}
	if left > b.best.Eta || left == b.best.Eta && effects > b.best.Effects {
		return
	}
	for _, i := range options {
		rest := open.Clone()
		rest.Remove(b.all[i].cover)
		b.branch(append(chosen[:len(chosen):len(chosen)], b.all[i]), rest, i+1)
	}
}

func (b *partialSearch) greedy(open bitset.Set) {
	var chosen []*region
	for len(chosen) < b.m && len(b.all) > 0 {
		c := slices.MaxFunc(b.all, func(x, y *region) int {
			return cmp.Compare(x.cover.Common(open),
				y.cover.Common(open))
		})
		chosen = append(chosen, c)
		open.Remove(c.cover)
	}
	b.leaf(chosen)
}

func (b *partialSearch) leaf(chosen []*region) {
	b.w.Spend(b.p.assembly(chosen))
	s := b.p.solution(chosen, b.m)
	order := -1
	if b.best != nil { // slack paid for on request comes first
		order = cmp.Or(cmp.Compare(s.price, b.best.price), cmp.Compare(s.Eta, b.best.Eta),
			cmp.Compare(s.Effects, b.best.Effects))
	}
	switch {
	case order < 0:
		b.floor = s.least
	case order == 0:
		b.floor = min(b.floor, s.least)
	}
	if b.best == nil || s.better(b.best) {
		b.best = s
	}
}
