package regions

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-air/gini/z"

	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"
)

// enumerate lists every region up to complement. It gives up (false) beyond the
// given number, when the work ends, or at once if so many would be too much for
// the size of the graph.
func enumerate(w *work.Work, p *Problem, limit int) ([]*region, bool) {
	if p.states == 0 {
		return nil, true
	}
	if limit = min(limit, enumerateWork/p.states); limit < enumerateLeast {
		return nil, false
	}
	o := newOracle(p, w)
	o.clause(o.holds(0).Not()) // the complement is the same region
	var all []*region
	for n := 0; ; n++ {
		if n > limit {
			return nil, false
		}
		switch w.Decide(o.solver) {
		case -1:
			return all, true
		case 0:
			return nil, false
		}
		x := o.values()
		all = append(all, p.mustRegion(x))
		w.Spend(p.size())
		block := make([]z.Lit, p.states)
		for s := range block {
			block[s] = o.value(s, !x.Has(s))
		}
		o.clause(block...)
	}
}

// withConstraints keeps the regions that separate a separation constraint and are not dominated:
// none other separates as much with as few effects. A best choice of regions, in every later
// objective, can be made of these.
func withConstraints(regions []*region) []*region {
	regions = slices.DeleteFunc(regions, func(c *region) bool { return c.cover.Empty() })
	sizes := make(map[*region]int, len(regions))
	for _, c := range regions {
		sizes[c] = c.cover.Count()
	}
	slices.SortStableFunc(regions, func(a, b *region) int {
		if sizes[a] != sizes[b] {
			return sizes[b] - sizes[a]
		}
		return a.effects - b.effects
	})
	var keep []*region
	for _, c := range regions {
		if !slices.ContainsFunc(keep, func(k *region) bool {
			return k.effects <= c.effects &&
				c.cover.Within(k.cover)
		}) {
			keep = append(keep, c)
		}
	}
	return keep
}

// exact finds the best choice among all regions that matter: the fewest that
// separate every separation constraint in want, or m if m > 0, then effects, then preconditions.
// What the work limits allow is proved.
func (p *Problem) exact(w *work.Work, all []*region, want bitset.Set, m int,
	seed uint64,
) *Solution {
	covers, effects := make([]bitset.Set, len(all)), make([]int, len(all))
	for i, c := range all {
		covers[i], effects[i] = c.cover, c.effects
	}
	rows, _ := membership(covers, want)
	var fewest []int
	var least int
	w.Within(50, func() { fewest, least = hitting(w, rows, ones(len(all)), coverNodes) })
	if m > 0 && m < len(fewest) {
		return p.partial(w, all, want, m, m < least, seed)
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

// membership is, for each member of want, the set of the covers that have it, each such set once.
// Open are the members that none has.
func membership(covers []bitset.Set, want bitset.Set) (rows []bitset.Set, open bitset.Set) {
	seen := map[string]bool{}
	open = make(bitset.Set, len(want))
	for constraint := range want.Each {
		row := bitset.New(len(covers))
		for i, cover := range covers {
			if cover.Has(constraint) {
				row.Set(i)
			}
		}
		if row.Empty() {
			open.Set(constraint)
		} else if key := row.Key(); !seen[key] {
			seen[key] = true
			rows = append(rows, row)
		}
	}
	return rows, open
}

func pick(regions []*region, choice []int) []*region {
	out := make([]*region, len(choice))
	for k, i := range choice {
		out[k] = regions[i]
	}
	return out
}

// partial chooses m regions, too few to separate every separation constraint in want, that separate
// many, with few effects. That there are no m regions that separate more is proved if the work
// suffices. short says that m regions are proved to be too few.
func (p *Problem) partial(w *work.Work, all []*region, want bitset.Set, m int, short bool,
	seed uint64,
) *Solution {
	b := &partialSearch{w: w, all: all, nodes: choiceNodes, best: p.bestOf(all, want, m)}
	open := want.Clone()
	for _, c := range b.best {
		open.Remove(c.cover)
	}
	b.fewest = open.Count()
	w.Within(50, func() { b.branch(nil, want, m, 0) })
	s := p.fewEffects(newOracle(p, w), b.best, m, seed)
	s.Bounds.Predicates, s.Proved.Predicates = m, true
	inseparable := p.constraints.Count() - want.Count()
	switch {
	case b.nodes > 0:
		s.Bounds.Eta = inseparable + b.fewest
	case short:
		s.Bounds.Eta = inseparable + 1
	}
	s.Proved.Eta = s.Eta == s.Bounds.Eta
	return s
}

// partialSearch is branch and bound over the choices of some regions. What the open
// regions add to the cover only shrinks as the choice grows, so the largest gains
// left bound what can still be separated.
type partialSearch struct {
	w      *work.Work
	all    []*region
	nodes  int
	best   []*region
	fewest int // separation constraints that best leaves open
}

// branch takes so many regions in the order of their number, so that each choice comes once.
func (b *partialSearch) branch(chosen []*region, open bitset.Set, room, from int) {
	b.w.Spend(1 + int64(len(b.all)*len(open)))
	if b.nodes--; b.nodes <= 0 || b.w.Over() {
		b.nodes = 0
		return
	}
	left := open.Count()
	if left < b.fewest {
		b.best, b.fewest = chosen, left
	}
	var options, gains []int
	for i := from; i < len(b.all); i++ {
		if gain := b.all[i].cover.Common(open); gain > 0 {
			options, gains = append(options, i), append(gains, gain)
		}
	}
	slices.SortFunc(gains, func(x, y int) int { return cmp.Compare(y, x) })
	for _, gain := range gains[:min(room, len(gains))] {
		left -= gain
	}
	if room == 0 || left >= b.fewest {
		return
	}
	for _, i := range options {
		rest := open.Clone()
		rest.Remove(b.all[i].cover)
		b.branch(append(chosen[:len(chosen):len(chosen)], b.all[i]), rest, room-1, i+1)
	}
}
