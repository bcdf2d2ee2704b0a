package variants

import (
	"github.com/go-air/gini"
	"github.com/go-air/gini/z"

	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"
)

// refuter finds what is wrong with groupings. It asks one SAT problem, in which an
// edge is in a variant by assuming a guard: that ties what the edge does to what the
// variant does. So a core of guards is a set of edges that cannot all be where they
// are.
type refuter struct {
	regionSAT
	g   *Graph
	w   *work.Work
	any effects // that a variant may have
	// others are, by action, edges that are known to be in a variant of their own if
	// they are not in the one that is asked about: it has to exclude their sources.
	others  [][]int
	regions []seen           // that were found once
	slots   map[int]slot     // by the first edge of a variant
	guards  map[[2]int]z.Lit // by the first edge and any
	edge    map[z.Lit]int    // by guard
}

// seen is a region and the effects that fit each edge.
type seen struct {
	x    bitset.Set
	fits []effects
}

// seenBytes is how much is kept of regions.
const seenBytes = 16 << 20

func newRefuter(g *Graph, w *work.Work, toggling bool) *refuter {
	r := &refuter{g: g, w: w, any: allowed(toggling), others: g.of()}
	r.reset()
	return r
}

// reset makes a new solver: one that was stopped is of no use.
func (r *refuter) reset() {
	r.regionSAT = regionSAT{sat{gini.New()}}
	for range r.g.States {
		r.solver.Lit()
	}
	r.slots, r.guards, r.edge = map[int]slot{}, map[[2]int]z.Lit{}, map[z.Lit]int{}
}

func (r *refuter) source(e int) z.Lit { return r.holds(r.g.Edges[e].Source) }

// slot is that of the variant whose first edge is given.
func (r *refuter) slot(first int) slot {
	v, there := r.slots[first]
	if !there {
		v = slot{r.solver.Lit(), r.solver.Lit(), r.solver.Lit()}
		r.one(v, r.any)
		r.slots[first] = v
	}
	return v
}

// guard is the assumption that an edge is in the variant whose first edge is given.
func (r *refuter) guard(first, e int) z.Lit {
	key := [2]int{first, e}
	if in, there := r.guards[key]; there {
		return in
	}
	v, in := r.slot(first), r.solver.Lit()
	r.explains(v, r.g.Edges[e], in.Not())
	r.guards[key], r.edge[in] = in, e
	return in
}

// solve is 1 if there is a region that agrees with what is assumed, -1 if there is
// none, 0 if there was not enough work to tell.
func (r *refuter) solve(assumed []z.Lit) int {
	r.solver.Assume(assumed...)
	r.w.Spend(1 + int64(len(assumed))/8)
	answer := r.w.Decide(r.solver)
	if answer == 0 {
		r.reset()
	}
	return answer
}

// region reads the one that was found, and keeps it.
func (r *refuter) region() bitset.Set {
	x := r.found(r.g.States)
	if len(r.regions)*len(r.g.Edges) < seenBytes {
		c := seen{x, make([]effects, len(r.g.Edges))}
		for e, edge := range r.g.Edges {
			c.fits[e] = fitting(x, edge)
		}
		r.regions = append(r.regions, c)
		r.w.Spend(int64(len(c.fits)) / 4)
	}
	return x
}
