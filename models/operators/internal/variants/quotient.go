package variants

import (
	"math"
	"math/rand/v2"

	"stripswm/models/operators/internal/bitset"
)

// quotient is the machine that an abstraction makes of the graph, with the
// variants that a coding has so far. Columns are looked for among those that are
// constant on its blocks.
type quotient struct {
	*coding
	on    partition
	steps []step  // an edge for each variant and each pair of blocks
	at    [][]int // steps that leave or enter a block, loops left out
	pairs []pair  // what a column is wanted for
	with  [][]int // pairs of each block
}

// step is edges of one variant between two blocks.
type step struct{ variant, from, to int }

// pair is two blocks that a column is to tell apart.
type pair struct{ a, b int }

func newQuotient(c *coding, on partition) *quotient {
	q := &quotient{coding: c, on: on, at: make([][]int, on.blocks)}
	seen := map[step]bool{}
	for e, edge := range c.g.Edges {
		k := step{c.of[e], on.block[edge.Source], on.block[edge.Target]}
		if seen[k] {
			continue
		}
		seen[k] = true
		if k.from != k.to {
			q.at[k.from] = append(q.at[k.from], len(q.steps))
			q.at[k.to] = append(q.at[k.to], len(q.steps))
		}
		q.steps = append(q.steps, k)
	}
	return q
}

// want says which blocks are to be told apart.
func (q *quotient) want(pairs []pair) {
	q.pairs, q.with = pairs, make([][]int, q.on.blocks)
	for i, p := range pairs {
		q.with[p.a] = append(q.with[p.a], i)
		q.with[p.b] = append(q.with[p.b], i)
	}
}

// trial is a column of a quotient while it is changed block by block, and what it
// is worth.
type trial struct {
	q        *quotient
	x        []bool
	kinds    [][3]int // by variant: its steps on which the column stays, rises, falls
	told     int      // pairs
	variants int      // more than before
	changes  int      // steps on which it changes
}

func (q *quotient) trial() *trial {
	t := &trial{q: q, x: make([]bool, q.on.blocks), kinds: make([][3]int, len(q.coding.variants))}
	for _, k := range q.steps {
		t.kinds[k.variant][0]++
	}
	return t
}

// count adds a step to its variant's kinds, or takes it out.
func (t *trial) count(k step, by int) {
	kind := 0
	if t.x[k.from] != t.x[k.to] {
		kind = 1
		if !t.x[k.to] && !t.q.toggles {
			kind = 2
		}
		t.changes += by
	}
	n := &t.kinds[k.variant][kind]
	if *n == 0 {
		t.variants++
	}
	if *n += by; *n == 0 {
		t.variants--
	}
}

func (t *trial) flip(block int) {
	for _, i := range t.q.at[block] {
		t.count(t.q.steps[i], -1)
	}
	t.x[block] = !t.x[block]
	for _, i := range t.q.at[block] {
		t.count(t.q.steps[i], +1)
	}
	for _, i := range t.q.with[block] {
		if p := t.q.pairs[i]; t.x[p.a] != t.x[p.b] {
			t.told++
		} else {
			t.told--
		}
	}
}

// worth is the logarithm of what a column is worth: the share of the pairs that it
// tells apart, for its price.
func (t *trial) worth() float64 { return t.value(float64(t.told) / float64(len(t.q.pairs))) }

// value is the logarithm of a share of what there is to do, by the variants that the
// column takes, and by the steps on which it changes: a predicate that most actions
// leave alone is likelier to be one of the world.
func (t *trial) value(share float64) float64 {
	return math.Log(share) - math.Log(float64(t.variants)+0.5) - math.Log(float64(t.changes)+1)
}

// states of the column.
func (t *trial) states() bitset.Set {
	x := bitset.New(t.q.g.States)
	for s, block := range t.q.on.block {
		if t.x[block] {
			x.Set(s)
		}
	}
	return x
}

// anneal looks for a column of great worth by simulated annealing, from a random
// connected part of the blocks on.
func (q *quotient) anneal(rng *rand.Rand) (*trial, int64) {
	t := q.trial()
	t.flip(rng.IntN(q.on.blocks))
	for range rng.IntN(q.on.blocks/2 + 1) {
		b := rng.IntN(q.on.blocks)
		for _, i := range q.at[b] {
			if k := q.steps[i]; !t.x[b] && (t.x[k.from] || t.x[k.to]) {
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
		if next < now && rng.Float64() >= math.Exp((next-now)/heat) {
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
