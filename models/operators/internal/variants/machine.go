package variants

import (
	"math"

	"stripswm/models/internal/bitset"
)

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
