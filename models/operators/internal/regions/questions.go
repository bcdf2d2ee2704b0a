package regions

import (
	"context"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"

	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Questions are about regions that may fail to fit some edges: each edge has a switch. They name
// the edges to blame where there is no region, and find regions that pay the least transition
// slack.
type Questions struct {
	oracle
	used []z.Lit // by edge: the switch that makes it count
}

// Question asks for a region with two values.
type Question [2]z.Lit

// NewQuestions prepares to ask about the edges of the problem. An edge that is switched off counts
// as not seen.
func (p *Problem) NewQuestions(ctx context.Context) *Questions {
	o := newQuestions(p, work.UntilDone(ctx))
	o.constrain(o.off, o.off)
	return o
}

// newPayer switches off what edges say of effects: their sources count in any case (C1).
func newPayer(p *Problem, w *work.Work) *Questions {
	o := newQuestions(p, w)
	o.constrain(o.off, never)
	return o
}

func newQuestions(p *Problem, w *work.Work) *Questions {
	o := &Questions{oracle: oracle{p: p, w: w, solver: gini.NewVc(p.variables()+len(p.graph.Edges),
		4*len(p.graph.Edges))}}
	o.declare()
	for range p.graph.Edges {
		o.used = append(o.used, o.solver.Lit())
	}
	return o
}

func (o *Questions) off(edge int) z.Lit { return o.used[edge].Not() }

// Separate asks for a region that separates a missing pair.
func (o *Questions) Separate(pair Pair) Question {
	return Question{o.required(int(pair.Action - 1)), o.holds(int(pair.State)).Not()}
}

// Distinguish asks for a region with different values in two states.
func (o *Questions) Distinguish(pair [2]strips.StateID) Question {
	return Question{o.holds(int(pair[0])), o.holds(int(pair[1])).Not()}
}

// Core is edges, by their indices in the graph, that rule the region out
// together; not all of them need be to blame. There is none if there is a region.
func (o *Questions) Core(q Question) (core []int, ruledOut bool) {
	_, edges := o.region(q, bitset.New(len(o.used)))
	return members(edges), edges != nil
}

// MinimalCore is a core without any one edge of which the region would exist. It
// is empty if no graph with these sources allows one.
func (o *Questions) MinimalCore(q Question) (core []int, ruledOut bool) {
	return o.minimal(q, func(taskgraph.Edge) bool { return true })
}

// CoreOf is the minimal core of one action's edges, all others being used.
func (o *Questions) CoreOf(action strips.ActionID, q Question) []int {
	core, _ := o.minimal(q, func(e taskgraph.Edge) bool { return e.Action == action })
	return core
}

// Without says whether there is a region if an edge is ignored.
func (o *Questions) Without(edge int, q Question) bool {
	dropped := bitset.New(len(o.used))
	dropped.Set(edge)
	x, _ := o.region(q, dropped)
	return x != nil
}

// region looks for a region that fits every edge not in dropped. Without one it returns edges that
// rule it out together.
func (o *Questions) region(q Question, dropped bitset.Set) (x, core bitset.Set) {
	o.solver.Assume(q[:]...)
	for i, used := range o.used {
		if !dropped.Has(i) {
			o.solver.Assume(used)
		}
	}
	if o.ask() {
		return o.values(), nil
	}
	core = bitset.New(len(o.used))
	if len(o.used) == 0 {
		return nil, core
	}
	first := int(o.used[0].Var())
	for _, lit := range o.solver.Why(nil) {
		if i := int(lit.Var()) - first; i >= 0 {
			core.Set(i)
		}
	}
	return nil, core
}

// minimal is a core of some edges, all others being used, without any one of which the region would
// exist.
func (o *Questions) minimal(q Question, of func(taskgraph.Edge) bool) ([]int, bool) {
	some := bitset.New(len(o.used))
	for i, e := range o.p.graph.Edges {
		if of(e) {
			some.Set(i)
		}
	}
	_, core := o.region(q, bitset.New(len(o.used)))
	if core == nil {
		return nil, false
	}
	core.Keep(some)
	for _, i := range members(core) {
		if !core.Has(i) {
			continue
		}
		dropped := some.Clone()
		dropped.Remove(core)
		dropped.Set(i)
		if _, smaller := o.region(q, dropped); smaller != nil {
			core = smaller
			core.Keep(some)
		}
	}
	return members(core), true
}

// cheapest finds a region with the given values that pays the least slack: cores
// are collected until a cheapest choice of edges that meets each is enough. The
// bound is that cost, or what is proved of it when the work ends; the values
// alone being contradictory, there is no region.
func (o *Questions) cheapest(q Question) (c *region, bound int) {
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
		x, core := o.region(q, dropped)
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
