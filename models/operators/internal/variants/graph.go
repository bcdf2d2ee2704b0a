package variants

import (
	"encoding/binary"
	"hash/fnv"
	"math"

	"stripswm/models/internal/bitset"
)

// Edge leads from a state to a state by an action. All count from 0.
type Edge struct{ Source, Action, Target int }

// Graph is a deterministic task graph whose states all have to be distinguished.
type Graph struct {
	States, Actions int
	Edges           []Edge
	Missing         []bitset.Set // by action: the states where it must not apply
}

// of lists the edges of each action.
func (g *Graph) of() [][]int {
	by := make([][]int, g.Actions)
	for e, edge := range g.Edges {
		by[edge.Action] = append(by[edge.Action], e)
	}
	return by
}

// least is a bound on the number of variants: one for each action that does something.
func (g *Graph) least() int {
	n := 0
	for _, edges := range g.of() {
		if len(edges) > 0 {
			n++
		}
	}
	return n
}

// sources are the states where some edges begin.
func (g *Graph) sources(edges []int) bitset.Set {
	set := bitset.New(g.States)
	for _, e := range edges {
		set.Set(g.Edges[e].Source)
	}
	return set
}

// partition is a partition of the states: the block of each, counted from 0.
type partition struct {
	block  []int
	blocks int
}

// trivial has one block, discrete one for each state.
func trivial(states int) partition { return partition{make([]int, states), 1} }

func discrete(states int) partition {
	p := partition{make([]int, states), states}
	for s := range p.block {
		p.block[s] = s
	}
	return p
}

// meet is the coarsest partition that is finer than both.
func (p partition) meet(q partition) partition {
	number := map[[2]int]int{}
	out := make([]int, len(p.block))
	for s := range out {
		key := [2]int{p.block[s], q.block[s]}
		k, seen := number[key]
		if !seen {
			k = len(number)
			number[key] = k
		}
		out[s] = k
	}
	return partition{out, len(number)}
}

// representatives has a state of each block.
func (p partition) representatives() []int {
	out := make([]int, p.blocks)
	for s := len(p.block) - 1; s >= 0; s-- {
		out[p.block[s]] = s
	}
	return out
}

// split is the partition in which the members of a set are apart from the others.
func (p partition) split(set bitset.Set) partition {
	half := make([]int, 2*p.blocks)
	out := partition{block: make([]int, len(p.block))}
	for s, block := range p.block {
		k := 2 * block
		if set.Has(s) {
			k++
		}
		if half[k] == 0 {
			out.blocks++
			half[k] = out.blocks
		}
		out.block[s] = half[k] - 1
	}
	return out
}

// pair is two states of one block; there must be some.
func (p partition) pair() (s, t int) {
	first := make([]int, p.blocks)
	for i := range first {
		first[i] = -1
	}
	for t, block := range p.block {
		if first[block] >= 0 {
			return first[block], t
		}
		first[block] = t
	}
	panic("variants: no two states in one block")
}

// machine is the graph that an abstraction makes: a state for each block, and an
// action must not apply in a block if it does so in none of its states and must
// not in all of them.
func (g *Graph) machine(p partition) *Graph {
	m := &Graph{States: p.blocks, Actions: g.Actions}
	seen := map[Edge]bool{}
	may := make([]bitset.Set, g.Actions)
	for a := range may {
		may[a] = bitset.New(p.blocks)
	}
	for _, e := range g.Edges {
		to := Edge{p.block[e.Source], e.Action, p.block[e.Target]}
		may[e.Action].Set(to.Source)
		if !seen[to] {
			seen[to] = true
			m.Edges = append(m.Edges, to)
		}
	}
	for a := range may {
		for s, block := range p.block {
			if !g.Missing[a].Has(s) {
				may[a].Set(block)
			}
		}
		missing := bitset.New(p.blocks)
		for block := range p.blocks {
			if !may[a].Has(block) {
				missing.Set(block)
			}
		}
		m.Missing = append(m.Missing, missing)
	}
	return m
}

// lift makes a region of the states of one of the blocks.
func (p partition) lift(x bitset.Set) bitset.Set {
	out := bitset.New(len(p.block))
	for s, block := range p.block {
		if x.Has(block) {
			out.Set(s)
		}
	}
	return out
}

// bits that the block of a state tells: how unlikely two states are in one (the
// collision entropy).
func (p partition) bits() float64 {
	size := make([]float64, p.blocks)
	for _, block := range p.block {
		size[block]++
	}
	same := 0.0
	for _, n := range size {
		same += n * n
	}
	return 2*math.Log2(float64(len(p.block))) - math.Log2(same)
}

// lower is the region's blocks, of which all states are in it or none.
func (p partition) lower(x bitset.Set) bitset.Set {
	out := bitset.New(p.blocks)
	for s := range x.Each {
		out.Set(p.block[s])
	}
	return out
}

func (p partition) hash() uint64 {
	h := fnv.New64a()
	for _, block := range p.block {
		var b [4]byte
		binary.LittleEndian.PutUint32(b[:], uint32(block))
		h.Write(b[:])
	}
	return h.Sum64()
}
