package variants

import (
	"math"
	"math/rand/v2"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"

	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"
)

// quotient is the machine that an abstraction makes of the graph, with the
// variants that a coding has so far. Regions are looked for among those that are
// constant on its blocks.
type quotient struct {
	*coding
	on    partition
	steps []step   // an edge for each variant and each pair of blocks
	at    [][]step // steps that leave or enter a block, loops left out
	sets  [][]int  // blocks that a region is wanted for: those of each set are to be distinguished
	in    [][]int  // the sets of each block
	pairs int      // of blocks of one set
}

// step is edges of one variant between two blocks.
type step struct{ variant, from, to int32 }

func newQuotient(c *coding, on partition) *quotient {
	q := &quotient{coding: c, on: on, at: make([][]step, on.blocks)}
	seen := map[step]bool{}
	for e, edge := range c.g.Edges {
		k := step{int32(c.of[e]), int32(on.block[edge.Source]), int32(on.block[edge.Target])}
		if seen[k] {
			continue
		}
		seen[k] = true
		if k.from != k.to {
			q.at[k.from] = append(q.at[k.from], k)
			q.at[k.to] = append(q.at[k.to], k)
		}
		q.steps = append(q.steps, k)
	}
	return q
}

// want says which blocks are to be distinguished: those of each set.
func (q *quotient) want(sets [][]int) {
	q.sets, q.in, q.pairs = sets, make([][]int, q.on.blocks), 0
	for i, set := range sets {
		for _, b := range set {
			q.in[b] = append(q.in[b], i)
		}
		q.pairs += len(set) * (len(set) - 1) / 2
	}
}

// pair draws two blocks of one set, each pair with the same probability.
func (q *quotient) pair(rng *rand.Rand) (a, b int) {
	k := rng.IntN(q.pairs)
	for _, set := range q.sets {
		if n := len(set) * (len(set) - 1) / 2; k >= n {
			k -= n
			continue
		}
		i := rng.IntN(len(set))
		j := (i + 1 + rng.IntN(len(set)-1)) % len(set)
		return set[i], set[j]
	}
	panic("variants: no pair is wanted")
}

// trial is a region of a quotient while it is changed block by block, and what it
// is worth.
type trial struct {
	q        *quotient
	x        []bool
	ones     []int    // by set: its blocks where the region holds
	kinds    [][3]int // by variant: its steps on which the region stays, rises, falls
	told     int      // pairs
	variants int      // more than before
	changes  int      // steps on which it changes
}

func (q *quotient) trial() *trial {
	t := &trial{q: q, x: make([]bool, q.on.blocks), ones: make([]int, len(q.sets)),
		kinds: make([][3]int, len(q.coding.variants))}
	for _, k := range q.steps {
		t.kinds[k.variant][0]++
	}
	return t
}

// kind of a change.
func (t *trial) kind(from, to bool) int {
	switch {
	case from == to:
		return 0
	case to || t.q.toggles:
		return 1
	}
	return 2
}

func (t *trial) flip(block int) {
	was := t.x[block]
	for _, k := range t.q.at[block] {
		from, to := t.x[k.from], t.x[k.to]
		before := t.kind(from, to)
		if int(k.from) == block {
			from = !from
		} else {
			to = !to
		}
		after := t.kind(from, to)
		kinds := &t.kinds[k.variant]
		if kinds[before]--; kinds[before] == 0 {
			t.variants--
		}
		if kinds[after]++; kinds[after] == 1 {
			t.variants++
		}
		if before == 0 {
			t.changes++
		} else {
			t.changes--
		}
	}
	t.x[block] = !was
	for _, i := range t.q.in[block] {
		n, ones := len(t.q.sets[i]), t.ones[i]
		if was {
			t.told -= n + 1 - 2*ones
			t.ones[i]--
		} else {
			t.told += n - 1 - 2*ones
			t.ones[i]++
		}
	}
}

// worth is what a region is worth: the share of the pairs that it distinguishes, for
// its price.
func (t *trial) worth() float64 { return t.value(float64(t.told) / float64(t.q.pairs)) }

// value is a share of what there is to do, by the variants that the region takes, and
// by the steps on which it changes: a predicate that most actions leave alone is
// likelier to be one of the world.
func (t *trial) value(share float64) float64 {
	return share / ((float64(t.variants) + 0.5) * float64(t.changes+1))
}

// states of the region.
func (t *trial) states() bitset.Set {
	x := bitset.New(t.q.g.States)
	for s, block := range t.q.on.block {
		if t.x[block] {
			x.Set(s)
		}
	}
	return x
}

// anneal looks for a region of great worth by simulated annealing, from a random
// connected part of the blocks on.
func (q *quotient) anneal(rng *rand.Rand) (*trial, int64) {
	t := q.trial()
	t.flip(rng.IntN(q.on.blocks))
	for range rng.IntN(q.on.blocks/2 + 1) {
		b := rng.IntN(q.on.blocks)
		for _, k := range q.at[b] {
			if !t.x[b] && (t.x[k.from] || t.x[k.to]) {
				t.flip(b)
				break
			}
		}
	}
	now := t.worth()
	best, kept := now, append([]bool(nil), t.x...)
	rounds := 200 + 30*q.on.blocks
	for i := range rounds {
		heat := 0.5 * (1 - float64(i)/float64(rounds))
		b := rng.IntN(q.on.blocks)
		t.flip(b)
		next := t.worth()
		if next < now && rng.Float64() >= math.Pow(next/now, 1/heat) {
			t.flip(b)
			continue
		}
		if now = next; now > best {
			best = now
			copy(kept, t.x)
		}
	}
	for b, v := range kept {
		if t.x[b] != v {
			t.flip(b)
		}
	}
	return t, int64(rounds * (2 + len(q.steps)/q.on.blocks))
}

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
