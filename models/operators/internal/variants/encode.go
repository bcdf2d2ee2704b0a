package variants

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/go-air/gini/z"

	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"
)

// encoder finds codings.
type encoder struct {
	g       *Graph
	w       *work.Work
	rng     *rand.Rand
	toggles bool
}

// encode looks for a coding that gives every state a code of its own and whose
// variants have preconditions that exclude each other and the states where they
// must not apply, with no more variants than the limit. It goes from the trivial
// abstraction of the graph to the graph itself: it draws some abstractions, gives
// the finer partition that each makes its codes, and takes the one that tells most
// for the variants it costs.
func (n *encoder) encode(limit int) *coding {
	c, of := newCoding(n.g, n.toggles), trivial(n.g.States)
	for of.blocks < n.g.States {
		var best *coding
		var finer partition
		worth := 0.0
		for i := range drawnAbstractions + 1 {
			if n.w.Over() {
				return nil
			}
			on := discrete(n.g.States)
			if i < drawnAbstractions {
				s, t := n.together(of)
				on = abstract(n.w, n.g, s, t, n.rng)
			}
			to := of.meet(on)
			bits := math.Log2(float64(to.blocks) / float64(of.blocks))
			most := limit
			if best != nil {
				most = min(most, len(c.variants)+int(bits/worth-0.1))
			}
			d := c.clone()
			if !n.distinguish(d, on, to, most) || !n.exclude(d, to, most) {
				continue
			}
			if value := bits / (float64(len(d.variants)-len(c.variants)) + 0.1); best == nil ||
				value > worth {
				best, finer, worth = d, to, value
			}
		}
		if best == nil {
			return nil
		}
		c, of = best, finer
	}
	if !n.exclude(c, discrete(n.g.States), limit) {
		return nil
	}
	return n.thin(c)
}

// together draws two states of one block.
func (n *encoder) together(of partition) (s, t int) {
	for {
		s, t = n.rng.IntN(n.g.States), n.rng.IntN(n.g.States)
		if s != t && of.block[s] == of.block[t] {
			return s, t
		}
	}
}

// distinguish adds regions that are constant on the blocks of one partition, until
// the blocks of another have codes of their own.
func (n *encoder) distinguish(c *coding, on, of partition, limit int) bool {
	states := of.representatives()
	for len(c.variants) <= limit && !n.w.Over() {
		equal := make([][]int, c.codes.blocks)
		for _, s := range states {
			equal[c.codes.block[s]] = append(equal[c.codes.block[s]], on.block[s])
		}
		sets := slices.DeleteFunc(equal, func(set []int) bool { return len(set) < 2 })
		if len(sets) == 0 {
			return true
		}
		q := newQuotient(c, on)
		q.want(sets)
		t := n.propose(q, limit-len(c.variants), func(solver *cheapest) []z.Lit {
			var values []z.Lit
			for range 1 + n.rng.IntN(2) {
				a, b := q.pair(n.rng)
				values = append(values, solver.holds(a), solver.holds(b).Not())
			}
			return values
		})
		if t == nil {
			return false
		}
		c.add(t.states())
	}
	return len(c.variants) <= limit && !n.w.Over()
}

// propose draws regions, by annealing and by asking for the cheapest with some
// values, and returns the one of most worth.
func (n *encoder) propose(q *quotient, most int, values func(*cheapest) []z.Lit) *trial {
	var best *trial
	var solver *cheapest
	for i := range drawnRegions {
		var t *trial
		if i%2 == 0 {
			var steps int64
			t, steps = q.anneal(n.rng)
			n.w.Spend(steps)
		} else {
			if solver == nil {
				solver = newCheapest(q, n.w, n.rng)
			}
			var alive bool
			if t, alive = solver.find(most, values(solver)...); !alive {
				solver = nil
			}
		}
		if t != nil && t.told > 0 && (best == nil || t.worth() > best.worth()) {
			best = t
		}
	}
	return best
}

// exclude adds regions, constant on the blocks of a partition, until the
// preconditions of all variants exclude what they have to.
func (n *encoder) exclude(c *coding, of partition, limit int) bool {
	for !n.w.Over() {
		if len(c.variants) > limit {
			return false
		}
		open, total := c.open(of)
		if total == 0 {
			return true
		}
		v := n.some(open)
		s := n.member(open[v])
		q := newQuotient(c, of)
		var pairs [][]int
		for source := range c.g.sources(c.variants[v]).Each {
			if of.block[source] != of.block[s] {
				pairs = append(pairs, []int{of.block[source], of.block[s]})
			}
		}
		if len(pairs) == 0 {
			return false
		}
		q.want(pairs)
		var best *coding
		worth := -1.0
		consider := func(t *trial) {
			if t == nil || t.told == 0 || len(c.variants)+t.variants > limit {
				return
			}
			d := c.clone()
			d.add(t.states())
			_, left := d.open(of)
			n.w.Spend(int64(len(d.variants) * len(d.regions)))
			if left >= total {
				return
			}
			if value := t.value(float64(total-left) / float64(total)); value > worth {
				best, worth = d, value
			}
		}
		solver := newCheapest(q, n.w, n.rng)
		var values []z.Lit
		for _, p := range pairs {
			values = append(values, solver.holds(p[0]))
		}
		t, _ := solver.find(limit-len(c.variants), append(values, solver.holds(of.block[s]).Not())...)
		consider(t)
		for range drawnRegions {
			t, steps := q.anneal(n.rng)
			n.w.Spend(steps)
			consider(t)
		}
		if best == nil {
			return false
		}
		*c = *best
	}
	return false
}

// some draws a set that is not empty; there must be one.
func (n *encoder) some(sets []bitset.Set) int {
	k := n.rng.IntN(len(sets))
	for sets[k].Empty() {
		k = (k + 1) % len(sets)
	}
	return k
}

// member draws a member of a set.
func (n *encoder) member(set bitset.Set) int {
	k := n.rng.IntN(set.Count())
	member := 0
	for i := range set.Each {
		if member = i; k == 0 {
			break
		}
		k--
	}
	return member
}

// thin takes out regions that are not needed, where that costs no variants.
func (n *encoder) thin(c *coding) *coding {
	for _, i := range n.rng.Perm(len(c.regions)) {
		if i >= len(c.regions) {
			continue
		}
		d := c.without(i)
		n.w.Spend(int64(len(c.of) * len(c.regions)))
		if d.codes.blocks < n.g.States || len(d.variants) > len(c.variants) {
			continue
		}
		if _, open := d.open(d.codes); open == 0 {
			c = d
		}
	}
	return c
}

// cut cuts the variants of a coding to pieces whose preconditions exclude the states that
// they have to, of the blocks of a partition that the regions distinguish. Every
// cut is by a region: the edges that begin where it holds, and the others. The
// region is the one that leaves fewest states open.
func (n *encoder) cut(c *coding, of partition) stage {
	out := stage{c: c}
	open, _ := c.open(of)
	n.w.Spend(int64(len(c.variants) * len(c.regions)))
	var cut func(edges []int, open bitset.Set)
	cut = func(edges []int, open bitset.Set) {
		by, halves := n.halve(c, c.g.sources(edges), open)
		if by < 0 {
			out.pieces = append(out.pieces, edges)
			return
		}
		var with, without []int
		for _, e := range edges {
			if c.regions[by].Has(c.g.Edges[e].Source) {
				with = append(with, e)
			} else {
				without = append(without, e)
			}
		}
		cut(with, halves[0])
		cut(without, halves[1])
	}
	for v, edges := range c.variants {
		cut(edges, open[v])
	}
	return out
}

// halve looks for the region to cut a variant by, and says what stays open for each
// half; it is -1 if nothing is open.
func (n *encoder) halve(c *coding, sources, open bitset.Set) (by int, halves [2]bitset.Set) {
	by = -1
	if open.Empty() {
		return by, halves
	}
	fewest := 0
	for _, i := range n.rng.Perm(len(c.regions)) {
		x := c.regions[i]
		if !sources.Meets(x) || sources.Within(x) {
			continue
		}
		with, without := sources.Clone(), sources.Clone()
		without.Remove(x)
		with.Keep(x)
		left := [2]bitset.Set{open.Clone(), open.Clone()}
		c.exclude(left[0], with)
		c.exclude(left[1], without)
		n.w.Spend(int64(len(c.regions) * len(open) / 4))
		if most := left[0].Count() + left[1].Count(); by < 0 || most < fewest {
			by, fewest, halves = i, most, left
		}
	}
	return by, halves
}

// trim adds regions, constant on the blocks of a partition, that save pieces, and
// takes out those without which the blocks of the other still have codes of their own.
func (n *encoder) trim(c *coding, on, of partition) stage {
	s := n.cut(c, of)
	for idle := 0; idle < trimIdle && !n.w.Over(); idle++ {
		open, total := s.c.open(of)
		if total == 0 {
			break
		}
		v := n.some(open)
		q := newQuotient(s.c, on)
		if q.want(n.against(s.c, v, n.member(open[v]), on)); q.pairs == 0 {
			continue
		}
		t, steps := q.anneal(n.rng)
		n.w.Spend(steps)
		if t.told == 0 {
			continue
		}
		d := s.c.clone()
		d.add(t.states())
		if next := n.cut(d, of); len(next.pieces) < len(s.pieces) {
			s, idle = next, -1
		}
	}
	for _, i := range n.rng.Perm(len(s.c.regions)) {
		if i >= len(s.c.regions) || n.w.Over() {
			continue
		}
		d := s.c.without(i)
		n.w.Spend(int64(len(d.of) * len(d.regions)))
		if d.codes.blocks < of.blocks {
			continue
		}
		if next := n.cut(d, of); len(next.pieces) <= len(s.pieces) {
			s = next
		}
	}
	return s
}

// against pairs a state that a variant has to exclude with one of its sources, or
// with all.
func (n *encoder) against(c *coding, v, state int, on partition) (pairs [][]int) {
	sources := c.g.sources(c.variants[v])
	one, all := n.member(sources), n.rng.IntN(2) == 0
	for source := range sources.Each {
		if p := []int{on.block[source], on.block[state]}; p[0] != p[1] && (all || source == one) {
			pairs = append(pairs, p)
		}
	}
	return pairs
}
