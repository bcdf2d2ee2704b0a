package regions

import (
	"math/rand/v2"
	"stripswm/models/internal/bitset"

	"github.com/go-air/gini/z"
)

// slimmer lowers the effects of a cover region by region: a region has to separate
// only what no other does, and with that kept it is made inert under as many
// actions as the oracle allows.
type slimmer struct {
	o    *oracle
	want bitset.Set // what the cover has to separate
	rng  *rand.Rand
}

// solution makes a model of regions, which is work too.
func (sl *slimmer) solution(regions []*region, m int) *Solution {
	sl.o.w.Spend(sl.o.p.assembly(regions))
	return sl.o.p.solution(regions, m)
}

// round slims every region once, in a random order, and says whether the effects
// fell.
func (sl *slimmer) round(regions []*region, free bool) bool {
	fell := false
	for _, k := range sl.rng.Perm(len(regions)) {
		if sl.o.w.Over() {
			return fell
		}
		open := sl.want.Clone()
		for j, c := range regions {
			if j != k {
				open.Remove(c.cover)
			}
		}
		next := sl.slim(regions[k], open, free)
		if next.effects <= regions[k].effects {
			fell = fell || next.effects < regions[k].effects
			regions[k] = next
		}
	}
	return fell
}

// slim returns a region that separates the given separation constraints as c does, with few
// effects. Unless free, actions that are inert under c stay so, which makes it
// certain that the effects do not grow.
func (sl *slimmer) slim(c *region, constraints bitset.Set, free bool) *region {
	return sl.slimWith(c, sl.o.literals(c, constraints), free)
}

// slimWith is slim for values that have to be kept, which c has.
func (sl *slimmer) slimWith(c *region, fixed []z.Lit, free bool) *region {
	o := sl.o
	if !free {
		for a, does := range c.does {
			if does == inert {
				fixed = append(fixed, o.still(a)...)
			}
		}
	}
	o.hold(fixed...)
	defer o.release()
	for _, a := range sl.rng.Perm(len(c.does)) {
		if o.p.actions[a].sources.Empty() || !free && c.does[a] == inert {
			continue
		}
		if sl.o.w.Over() {
			break
		}
		if c.does[a] != inert {
			x, ok := o.solve(o.still(a)...)
			if !ok {
				continue
			}
			c = o.p.mustRegion(x)
		}
		o.hold(o.still(a)...)
	}
	return c
}

// literals is what c does to separate the separation constraints, each literal once.
func (o *oracle) literals(c *region, constraints bitset.Set) []z.Lit {
	seen := map[z.Lit]bool{}
	var lits []z.Lit
	for constraint := range constraints.Each {
		for _, lit := range o.distinct(constraint, c.sign(o.p, constraint)) {
			if !seen[lit] {
				seen[lit] = true
				lits = append(lits, lit)
			}
		}
	}
	return lits
}

// leastEffects is the fewest effects of a region that separates a separation constraint, exact if
// the work limit allows and a lower bound in any case: sets of actions that
// cannot all be inert are collected until a smallest choice that meets each set
// is enough.
func (o *oracle) leastEffects(constraint, rounds int) int {
	assumption := o.distinct(constraint, +1)
	ones := make([]int, len(o.p.actions))
	for a := range ones {
		ones[a] = 1
	}
	var cores []bitset.Set
	for bound := 0; ; {
		choice, least := []int(nil), 0
		if len(cores) > 0 {
			choice, least = hitting(o.w, cores, ones, hittingNodes)
		}
		bound = max(bound, least)
		if rounds--; rounds < 0 || o.w.Over() {
			return bound
		}
		moving := bitset.New(len(ones))
		for _, a := range choice {
			moving.Set(a)
		}
		core, sat := o.core(assumption, moving)
		if sat {
			return bound
		}
		cores = append(cores, core)
	}
}

// core asks for a region with the given values under which every action outside
// moving is inert; if there is none, it returns actions that cannot all be.
func (o *oracle) core(assumption [2]z.Lit, moving bitset.Set) (bitset.Set, bool) {
	o.solver.Assume(assumption[:]...)
	for a := range o.p.actions {
		if !moving.Has(a) {
			o.solver.Assume(o.still(a)...)
		}
	}
	if o.ask() {
		return nil, true
	}
	core := bitset.New(len(o.p.actions))
	for _, lit := range o.solver.Why(nil) {
		if a, is := o.mover(lit.Var()); is {
			core.Set(a)
		}
	}
	return core, false
}
