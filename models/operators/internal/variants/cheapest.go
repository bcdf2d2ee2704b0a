package variants

import (
	"math/rand/v2"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"

	"stripswm/models/operators/internal/work"
)

const (
	mostSplits  = 10     // variants that a region may take, at most
	cheapestSAT = 40_000 // steps that one question may take
)

// cheapest asks for regions of a quotient that take few variants: a SAT problem
// with a variable for each block, for each kind of change of each variant, and a
// count of the variants that are split.
type cheapest struct {
	q *quotient
	w *work.Work
	regionSAT
	more []z.Lit // more[k]: more than k variants are added
}

func newCheapest(q *quotient, w *work.Work, rng *rand.Rand) *cheapest {
	c := &cheapest{q: q, w: w, regionSAT: regionSAT{
		sat{gini.NewVc(q.on.blocks+8*len(q.coding.variants), 8*len(q.steps))}}}
	for range q.on.blocks {
		c.solver.Lit()
	}
	kinds := make([][3]z.Lit, len(q.coding.variants))
	var splits []z.Lit
	for v, edges := range q.coding.variants {
		for k := range kinds[v] {
			kinds[v][k] = c.solver.Lit()
		}
		stays, rises, falls := kinds[v][0], kinds[v][1], kinds[v][2]
		if q.toggles {
			c.clause(falls.Not(), rises)
		}
		if len(edges) < 2 {
			continue
		}
		two := c.solver.Lit()
		c.clause(stays.Not(), rises.Not(), two)
		splits = append(splits, two)
		if !q.toggles {
			three := c.solver.Lit()
			c.clause(stays.Not(), falls.Not(), two)
			c.clause(rises.Not(), falls.Not(), two)
			c.clause(stays.Not(), rises.Not(), falls.Not(), three)
			splits = append(splits, three)
		}
	}
	for _, k := range q.steps {
		from, to := c.holds(int(k.from)), c.holds(int(k.to))
		stays, rises, falls := kinds[k.variant][0], kinds[k.variant][1], kinds[k.variant][2]
		if k.from == k.to {
			c.clause(stays)
			continue
		}
		c.clause(from, to, stays)
		c.clause(from.Not(), to.Not(), stays)
		c.clause(from, to.Not(), rises)
		c.clause(from.Not(), to, falls)
	}
	rng.Shuffle(len(splits), func(i, j int) { splits[i], splits[j] = splits[j], splits[i] })
	c.more = c.count(splits)
	w.Spend(int64(4*len(q.steps) + 20*len(splits)))
	return c
}

// count is a totalizer (Bailleux and Boufkhad 2003) up to mostSplits: literal k of
// the result is implied by more than k of the given ones.
func (c *cheapest) count(lits []z.Lit) []z.Lit {
	if len(lits) <= 1 {
		return lits
	}
	a, b := c.count(lits[:len(lits)/2]), c.count(lits[len(lits)/2:])
	out := make([]z.Lit, min(len(a)+len(b), mostSplits+1))
	for i := range out {
		out[i] = c.solver.Lit()
	}
	for i := range len(a) + 1 {
		for j := range len(b) + 1 {
			var explanation []z.Lit
			if i > 0 {
				explanation = append(explanation, a[i-1].Not())
			}
			if j > 0 {
				explanation = append(explanation, b[j-1].Not())
			}
			if i+j > 0 {
				c.clause(append(explanation, out[min(i+j, len(out))-1])...)
			}
		}
	}
	return out
}

// find looks for a region with the given values that adds the fewest variants, at
// most so many. A question that takes too long ends the search, and the solver is
// of no use then: alive is false.
func (c *cheapest) find(most int, values ...z.Lit) (found *trial, alive bool) {
	for k := range min(most, mostSplits) + 1 {
		c.solver.Assume(values...)
		if k < len(c.more) {
			c.solver.Assume(c.more[k].Not())
		}
		switch c.w.Try(c.solver, cheapestSAT) {
		case 0:
			return nil, false
		case 1:
			t := c.q.trial()
			for b := range c.q.on.blocks {
				if c.solver.Value(c.holds(b)) {
					t.flip(b)
				}
			}
			return t, true
		}
		if k >= len(c.more) {
			break
		}
	}
	return nil, true
}
