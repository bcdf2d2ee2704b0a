package variants

import (
	"math"
	"math/rand/v2"

	"stripswm/models/operators/internal/bitset"
	"stripswm/models/operators/internal/work"
)

// Found is a grouping of edges to variants.
type Found struct {
	Of       []int        // variant of each edge, 0 to Variants-1, by action
	Variants int          // the number of them
	Columns  []bitset.Set // that fit the variants and tell all apart that has to be
}

// Find groups the edges of a graph to few variants, with the work given.
func Find(w *work.Work, g *Graph, toggling bool, seed uint64) *Found {
	any := inert | adds | deletes
	if toggling {
		any |= toggles
	}
	rng := rand.New(rand.NewPCG(seed, 3))
	n := &encoder{g: g, w: w, rng: rng, toggles: toggling}
	best := edgeByEdge(g)
	w.Within(70, func() {
		for rounds := 0; !w.Over(); rounds++ {
			limit := math.MaxInt
			if rounds > 0 {
				limit = 2 * best.variants
			}
			c := n.encode(limit)
			if c == nil {
				continue
			}
			j := newJoiner(g, w, rng, any, first(c.variants, len(g.Edges)), c.columns)
			j.grow(j.variants())
			next := improve(g, w, rng, any, j.grouping(), 20)
			if trace != nil {
				trace(len(c.variants), j.live, next.variants, len(next.columns))
			}
			if next.variants < best.variants {
				best = next
			}
		}
	})
	best = improve(g, w, rng, any, best, math.MaxInt)
	return best.found(g)
}

var trace func(coded, joined, improved, columns int)
