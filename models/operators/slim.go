package operators

import (
	"context"
	"math/rand/v2"

	"github.com/go-air/gini/z"
)

// slim lowers the effects of a cover column by column: a column has to separate
// only what no other does, and with that kept it is made inert under as many
// actions as the oracle allows. Rounds in which no column changes end it.
type slimmer struct {
	o    *oracle
	want bitset
	rng  *rand.Rand
}

// round treats every column once, in a random order, and says whether the
// effects fell.
func (sl *slimmer) round(ctx context.Context, columns []*column, free bool) bool {
	fell := false
	for _, k := range sl.rng.Perm(len(columns)) {
		if ctx.Err() != nil {
			return fell
		}
		open := sl.want.clone()
		for j, c := range columns {
			if j != k {
				open.remove(c.cover)
			}
		}
		next := sl.slim(ctx, columns[k], open, free)
		if next.effects <= columns[k].effects {
			fell = fell || next.effects < columns[k].effects
			columns[k] = next
		}
	}
	return fell
}

// slim returns a column that separates the given atoms as c does, with few
// effects. Unless free, actions that are inert under c stay so, which makes it
// certain that the effects do not grow.
func (sl *slimmer) slim(ctx context.Context, c *column, atoms bitset, free bool) *column {
	return sl.slimWith(ctx, c, sl.o.literals(c, atoms), free)
}

// slimWith is slim for values that have to be kept, which c has.
func (sl *slimmer) slimWith(ctx context.Context, c *column, fixed []z.Lit, free bool) *column {
	o := sl.o
	still := func(a int) []z.Lit { return []z.Lit{o.adds(a).Not(), o.deletes(a).Not()} }
	if !free {
		for a, does := range c.does {
			if does == inert {
				fixed = append(fixed, still(a)...)
			}
		}
	}
	o.hold(fixed...)
	defer o.release()
	for _, a := range sl.rng.Perm(len(c.does)) {
		if o.p.actions[a].sources.empty() || !free && c.does[a] == inert {
			continue
		}
		if ctx.Err() != nil {
			break
		}
		if c.does[a] != inert {
			x, ok := o.solve(still(a)...)
			if !ok {
				continue
			}
			c = o.p.mustColumn(x)
		}
		o.hold(still(a)...)
	}
	return c
}

// literals is what c does to separate the atoms, each literal once.
func (o *oracle) literals(c *column, atoms bitset) []z.Lit {
	seen := map[z.Lit]bool{}
	var lits []z.Lit
	for atom := range atoms.each {
		for _, lit := range o.apart(atom, c.way(o.p, atom)) {
			if !seen[lit] {
				seen[lit] = true
				lits = append(lits, lit)
			}
		}
	}
	return lits
}

// leastEffects is the fewest effects of a column that separates an atom, exact if
// the work limit allows and a lower bound in any case: sets of actions that
// cannot all be inert are collected until a smallest choice that meets each set
// is enough.
func (o *oracle) leastEffects(ctx context.Context, atom, rounds int) int {
	way := o.apart(atom, +1)
	ones := make([]int, len(o.p.actions))
	for a := range ones {
		ones[a] = 1
	}
	var cores []bitset
	for bound := 0; ; {
		choice, least := []int(nil), 0
		if len(cores) > 0 {
			choice, least = hitting(ctx, cores, ones, hittingNodes)
		}
		bound = max(bound, least)
		if rounds--; rounds < 0 || ctx.Err() != nil {
			return bound
		}
		moving := newBitset(len(ones))
		for _, a := range choice {
			moving.set(a)
		}
		core, sat := o.core(way, moving)
		if sat {
			return bound
		}
		cores = append(cores, core)
	}
}

// core asks for a column with the given values under which every action outside
// moving is inert; if there is none, it returns actions that cannot all be.
func (o *oracle) core(way [2]z.Lit, moving bitset) (bitset, bool) {
	o.solver.Assume(way[:]...)
	for a := range o.p.actions {
		if !moving.has(a) {
			o.solver.Assume(o.adds(a).Not(), o.deletes(a).Not())
		}
	}
	o.calls++
	if o.solver.Solve() == 1 {
		return nil, true
	}
	core := newBitset(len(o.p.actions))
	for _, lit := range o.solver.Why(nil) {
		if v := int(lit.Var()); v > o.p.states {
			if k := (v - o.p.states - 1) % 4; k < 2 {
				core.set((v - o.p.states - 1) / 4)
			}
		}
	}
	return core, false
}
