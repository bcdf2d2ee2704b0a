package regions

import (
	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"
)

// edgeOracle asks for regions that may fail to fit some edges: each edge has a
// switch. It names the edges to blame where there is no region, and finds regions
// that pay the least transition slack. Whole edges are switched off altogether,
// as if they had not been seen; otherwise their sources count in any case (C1).
type edgeOracle struct {
	oracle
	used []z.Lit // by edge: the switch that makes it count
}

func newEdgeOracle(p *Problem, w *work.Work, whole bool) *edgeOracle {
	o := &edgeOracle{oracle: oracle{p: p, w: w, solver: gini.NewVc(p.variables()+len(p.graph.Edges),
		4*len(p.graph.Edges))}}
	o.declare()
	for range p.graph.Edges {
		o.used = append(o.used, o.solver.Lit())
	}
	off := func(edge int) z.Lit { return o.used[edge].Not() }
	if whole {
		o.constrain(off, off)
	} else {
		o.constrain(off, never)
	}
	return o
}

// region looks for a region with the given values that fits every edge not in
// dropped. Without one it returns edges that rule it out together.
func (o *edgeOracle) region(assumption [2]z.Lit, dropped bitset.Set) (x, core bitset.Set) {
	o.solver.Assume(assumption[:]...)
	for i, used := range o.used {
		if !dropped.Has(i) {
			o.solver.Assume(used)
		}
	}
	if o.oracle.ask() {
		return o.values(), nil
	}
	core = bitset.New(len(o.used))
	first := int(o.used[0].Var())
	for _, lit := range o.solver.Why(nil) {
		if i := int(lit.Var()) - first; i >= 0 {
			core.Set(i)
		}
	}
	return nil, core
}

// proof is a minimal core: without any one of its edges the region would exist.
// It is empty if no graph with these sources allows one, and nil if there is a
// region.
func (o *edgeOracle) proof(assumption [2]z.Lit) bitset.Set {
	if len(o.used) == 0 {
		return bitset.Set{}
	}
	_, core := o.region(assumption, bitset.New(len(o.used)))
	if core == nil {
		return nil
	}
	everything := bitset.New(len(o.used))
	for i := range o.used {
		everything.Set(i)
	}
	for _, i := range members(core) {
		if !core.Has(i) {
			continue
		}
		without := core.Clone()
		without.Clear(i)
		dropped := everything.Clone()
		dropped.Remove(without)
		if _, smaller := o.region(assumption, dropped); smaller != nil {
			core = smaller
		}
	}
	return core
}

// cheapest finds a region with the given values that pays the least slack: cores
// are collected until a cheapest choice of edges that meets each is enough. The
// bound is that cost, or what is proved of it when the work ends; the values
// alone being contradictory, there is no region.
func (o *edgeOracle) cheapest(assumption [2]z.Lit) (c *region, bound int) {
	costs := make([]int, len(o.used))
	for i := range costs {
		costs[i] = o.p.weight(i)
	}
	var cores []bitset.Set
	for {
		dropped := bitset.New(len(o.used))
		least := 0
		if len(cores) > 0 {
			var choice []int
			choice, least = hitting(o.w, cores, costs, coverNodes)
			for _, i := range choice {
				dropped.Set(i)
			}
		}
		bound = max(bound, least)
		if o.w.Over() { // pay for all that is known to be in the way
			for _, core := range cores {
				dropped.Add(core)
			}
		}
		x, core := o.region(assumption, dropped)
		if core == nil {
			c, _ := o.p.regionOf(x)
			return c, bound
		}
		if core.Empty() {
			return nil, bound
		}
		cores = append(cores, core)
	}
}
