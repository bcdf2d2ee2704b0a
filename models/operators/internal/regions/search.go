package regions

import (
	"math/rand/v2"
	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"

	"github.com/go-air/gini/z"
)

// search is one run of Learn or Relearn.
type search struct {
	Demands
	*Decided
	w      *work.Work
	greedy bool
	want   bitset.Set // the separation constraints to separate
	out    bitset.Set // those that cannot be, or were not decided in time
}

// choose picks the regions that separate what can be separated.
func (l *search) choose() *Solution {
	if l.greedy {
		return l.extend()
	}
	p, m := l.p, l.Predicates
	all, listed := enumerate(l.w, p, enumerateMost)
	switch {
	case l.want.Empty():
		return l.nothingToSeparate(all, listed)
	case listed:
		return p.exact(l.w, withConstraints(all), l.want, m)
	}
	return p.approximate(l.w, l.pool, l.want, m, l.Seed)
}

// extend keeps the regions that the search began with and covers greedily what
// they leave open.
func (l *search) extend() *Solution {
	if l.want.Empty() {
		return l.nothingToSeparate(nil, false)
	}
	open := l.want.Clone()
	regions := l.pool[:l.kept:l.kept]
	for _, c := range regions {
		open.Remove(c.cover)
	}
	rng := rand.New(rand.NewPCG(l.Seed, streamSearch))
	regions = append(regions, greedyCover(newOracle(l.p, l.w), l.pool, open, rng)...)
	return l.p.solution(withoutRedundant(regions, l.want), 0)
}

// nothingToSeparate is the choice where no separation constraint asks for a predicate: none, or
// against collapse one that is not constant, with few effects.
func (l *search) nothingToSeparate(all []*region, listed bool) *Solution {
	p := l.p
	var regions []*region
	if !l.AllowCollapse && p.negatives == 0 && p.states > 1 {
		var best *region
		for _, c := range all {
			if n := c.x.Count(); n > 0 && n < p.states && (best == nil || c.effects < best.effects) {
				best = c
			}
		}
		if !listed {
			best = p.anyChange(l.w)
		}
		if best != nil {
			regions = []*region{best}
		}
	}
	s := p.solution(regions, l.Predicates)
	s.Proved = Proved{Predicates: true, Effects: listed ||
		s.Effects == 0, Preconditions: s.least == s.Preconditions}
	s.Bounds.Predicates, s.Bounds.Preconditions = len(s.regions), s.least
	if s.Proved.Effects {
		s.Bounds.Effects = s.Effects
	}
	return s
}

// anyChange finds a region that is not constant, if there is one, and slims it.
func (p *Problem) anyChange(w *work.Work) *region {
	o := newOracle(p, w)
	for s := 1; s < p.states; s++ {
		x, ok := o.solve(o.holds(0), o.holds(s).Not())
		if !ok {
			continue
		}
		sl := &slimmer{o: o, rng: rand.New(rand.NewPCG(0, streamSlim))}
		return sl.slimWith(p.mustRegion(x), []z.Lit{o.holds(0), o.holds(s).Not()}, true)
	}
	return nil
}
