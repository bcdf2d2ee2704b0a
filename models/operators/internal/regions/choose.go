package regions

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/go-air/gini/z"

	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"
	"stripswm/models/strips"
)

// Demands say what a model has to be, beyond the least xi and eta.
type Demands struct {
	// Predicates is m; 0 looks for the fewest.
	Predicates int
	// AllDistinct asks for a code of its own for each state, Distinct for different
	// codes of pairs, MinUnique for so many different codes.
	AllDistinct bool
	Distinct    [][2]strips.StateID
	MinUnique   int
	// AllowCollapse permits no predicate at all where there is no missing pair.
	AllowCollapse bool
	// Seed of the randomised improvements.
	Seed uint64
}

// tooClose lists pairs of states that have the same code and must not: those
// that are asked for, and as many more as the number of different codes asks for.
// class says which states zero slack forces together; pairs of different classes come first.
func (l *search) tooClose(s *Solution, class []int) [][2]int {
	group := l.p.groups(s.regions)
	var pairs [][2]int
	if !l.AllDistinct {
		for _, pair := range l.Distinct {
			if a, b := int(pair[0]), int(pair[1]); group[a] == group[b] {
				pairs = append(pairs, [2]int{a, b})
			}
		}
	}
	first := map[int]int{}
	var easy, hard [][2]int
	for t, g := range group {
		r, any := first[g]
		switch {
		case !any:
			first[g] = t
		case class[r] != class[t]:
			easy = append(easy, [2]int{r, t})
		default:
			hard = append(hard, [2]int{r, t})
		}
	}
	more := append(easy, hard...)
	if !l.AllDistinct {
		more = more[:min(len(more), max(0, l.MinUnique-s.Codes))]
	}
	return append(pairs, more...)
}

// asks says whether the pair itself is asked for.
func (d Demands) asks(pair [2]int) bool {
	return d.AllDistinct || slices.ContainsFunc(d.Distinct, func(q [2]strips.StateID) bool {
		a, b := int(q[0]), int(q[1])
		return pair == [2]int{a, b} || pair == [2]int{b, a}
	})
}

// separateStates chooses regions until no pair is too close: pairs that zero slack allows become
// separation constraints of a new choice, for the others a predicate pays the least transition
// slack. Which are which is decided whatever the budget. If all states have to differ, a quick
// cover shows most of the pairs beforehand, so that one choice has most of the work.
func (l *search) separateStates(ctx context.Context) (*Solution, error) {
	var class []int
	if l.AllDistinct {
		class = l.Forced(ctx)
		rng := rand.New(rand.NewPCG(l.Seed, streamCover))
		quick := greedyCover(newOracle(l.p, l.w), l.p.shuffled(members(l.want), rng))
		l.keepDistinct(l.soft(l.p.solution(quick, 0), class))
	}
	s := l.choose()
	if !l.AllDistinct && len(l.Distinct) == 0 && s.Codes >= l.MinUnique {
		return s, nil
	}
	if class == nil {
		class = l.Forced(ctx)
	}
	for {
		soft := l.soft(s, class)
		if len(soft) == 0 {
			break
		}
		l.pool = append(l.pool, s.regions...)
		l.keepDistinct(soft)
		next := l.choose()
		if l.Predicates > 0 && len(l.tooClose(next, class)) >= len(l.tooClose(s, class)) {
			return nil,
				fmt.Errorf(
					"no model with %d predicates was found that keeps the states distinct as asked: allow more",
					l.Predicates)
		}
		next.Bounds.Predicates = max(next.Bounds.Predicates, s.Bounds.Predicates)
		s = next
		if s.Codes >= l.MinUnique && l.MinUnique > 1 && !l.AllDistinct {
			// other pairs would have done as well, perhaps at a lower price
			s.Proved = Proved{Predicates: l.Predicates > 0}
			s.Bounds = Bounds{Predicates: bits.Len(uint(l.MinUnique - 1))}
		}
	}
	return l.slackBudget(s, class)
}

// soft lists the pairs that are too close though zero slack would allow them different codes.
func (l *search) soft(s *Solution, class []int) [][2]int {
	return slices.DeleteFunc(l.tooClose(s, class), func(pair [2]int) bool {
		return class[pair[0]] == class[pair[1]]
	})
}

// slackBudget adds predicates with slack for the pairs that are still too close.
func (l *search) slackBudget(s *Solution, class []int) (*Solution, error) {
	o := newPayer(l.p, l.w)
	regions := withoutConstant(l.p, s.regions)
	bound, paid := 0, false
	for {
		pairs := l.tooClose(s, class)
		if len(pairs) == 0 {
			break
		}
		c, least := o.cheapest(Question{o.holds(pairs[0][0]), o.holds(pairs[0][1]).Not()})
		if c == nil {
			return nil, fmt.Errorf("nodes %d and %d cannot be kept distinct", pairs[0][0], pairs[0][1])
		}
		if l.Predicates > 0 && len(regions) >= l.Predicates {
			return nil, fmt.Errorf("%d predicates leave none to keep nodes %d and %d distinct: allow more",
				l.Predicates, pairs[0][0], pairs[0][1])
		}
		bound = max(bound, 1)
		if l.asks(pairs[0]) {
			bound = max(bound, least)
		}
		regions, paid = append(regions, c), true
		next := l.p.solution(regions, l.Predicates)
		next.Bounds, next.Proved = s.Bounds, s.Proved
		s = next
	}
	if paid {
		s.Bounds = Bounds{Xi: bound}
		s.Proved = Proved{Xi: bound == s.price, Predicates: l.Predicates > 0}
		if l.p.bySupport {
			s.Bounds.Xi = 1 // the bound is on the weighted sum
		}
	}
	return s, nil
}

// keepDistinct makes separation constraints of pairs of states and brings all regions up to date.
func (l *search) keepDistinct(pairs [][2]int) {
	l.p.keepDistinct(pairs)
	for i, c := range l.pool {
		l.pool[i] = l.p.mustRegion(c.x)
	}
	l.want = l.p.constraints.Clone()
	l.want.Remove(l.out)
}

// search is one run of Learn.
type search struct {
	Demands
	*Decided
	w    *work.Work
	want bitset.Set // the separation constraints to separate
	out  bitset.Set // those that cannot be, or were not decided in time
}

// choose picks the regions that separate what can be separated: the fewest, or m that separate
// much. Then it lowers their effects.
func (l *search) choose() *Solution {
	p, m, pool := l.p, l.Predicates, l.pool
	if l.want.Empty() {
		return l.nothingToSeparate()
	}
	var best []*region
	var bound int
	if all, listed := enumerate(l.w, p, enumerateMost); listed {
		pool = undominated(all)
		best, bound = fewest(l.w, pool, l.want)
	} else {
		best, bound = p.approximate(l.w, pool, l.want, m, l.Seed)
	}
	if m > 0 {
		bound = m
		if m < len(best) {
			best = p.bestOf(append(best, pool...), l.want, m)
		}
	}
	s := p.fewEffects(newOracle(p, l.w), best, m, l.Seed)
	s.Bounds.Predicates, s.Proved.Predicates = bound, bound == len(s.regions)
	return s
}

// nothingToSeparate is the choice where no separation constraint asks for a predicate: none, or
// against collapse one that is not constant, with few effects.
func (l *search) nothingToSeparate() *Solution {
	p := l.p
	var regions []*region
	if !l.AllowCollapse && p.negatives == 0 && p.states > 1 {
		if c := p.anyChange(l.w); c != nil {
			regions = []*region{c}
		}
	}
	s := p.solution(regions, l.Predicates)
	s.Proved.Predicates, s.Bounds.Predicates = true, len(s.regions)
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
		return sl.slim(p.mustRegion(x), []z.Lit{o.holds(0), o.holds(s).Not()})
	}
	return nil
}
