package regions

import (
	"math/rand/v2"

	"github.com/go-air/gini/z"

	"stripswm/models/internal/bitset"
)

// slimmer lowers the effects of a cover region by region: a region has to separate
// only what no other does, and with that kept it is made inert under as many
// actions as the oracle allows.
type slimmer struct {
	o    *oracle
	want bitset.Set // what the cover has to separate
	rng  *rand.Rand
}

// fewEffects slims the regions and makes a model of them, with constant ones added
// up to m.
func (p *Problem) fewEffects(o *oracle, regions []*region, m int, seed uint64) *Solution {
	covered := make(bitset.Set, len(p.constraints))
	for _, c := range regions {
		covered.Add(c.cover)
	}
	sl := &slimmer{o: o, want: covered, rng: rand.New(rand.NewPCG(seed, streamSlim))}
	s := sl.solution(regions, m)
	for rounds := slimRounds; rounds > 0 && !o.w.Over(); rounds-- {
		next := append([]*region(nil), regions...)
		fell := sl.round(next)
		if t := sl.solution(next, m); !s.better(t) {
			s, regions = t, next
		}
		if !fell {
			break
		}
	}
	return s
}

// solution makes a model of regions, which is work too.
func (sl *slimmer) solution(regions []*region, m int) *Solution {
	sl.o.w.Spend(sl.o.p.assembly(regions))
	return sl.o.p.solution(regions, m)
}

// round slims every region once, in a random order, and says whether the effects
// fell.
func (sl *slimmer) round(regions []*region) bool {
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
		next := sl.slim(regions[k], sl.o.literals(regions[k], open))
		if next.effects <= regions[k].effects {
			fell = fell || next.effects < regions[k].effects
			regions[k] = next
		}
	}
	return fell
}

// slim returns a region with the values that have to be kept, which c has, and with few effects. It
// may have more than c, since an action that is inert under c need not stay so.
func (sl *slimmer) slim(c *region, fixed []z.Lit) *region {
	o := sl.o
	o.hold(fixed...)
	defer o.release()
	for _, a := range sl.rng.Perm(len(c.does)) {
		if o.p.actions[a].sources.Empty() {
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
		for _, lit := range o.separating(constraint, c.sign(o.p, constraint)) {
			if !seen[lit] {
				seen[lit] = true
				lits = append(lits, lit)
			}
		}
	}
	return lits
}

// withoutConstant drops the regions that only fill up.
func withoutConstant(p *Problem, regions []*region) []*region {
	var out []*region
	for _, c := range regions {
		if n := c.x.Count(); n > 0 && n < p.states {
			out = append(out, c)
		}
	}
	return out
}
