package variants

import (
	"slices"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"

	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"
)

// Lack is what there is no region for: one that tells two states apart or, if Of is not empty, one
// that holds in all sources of these edges and not in the state Other.
type Lack struct {
	One, Other int
	Of         []int
}

// Explanation says why an action needs several variants while those of the other actions stay as
// they are: some of its edges that cannot all be of one variant, and what there is no region for if
// they are. None of the edges can be left out. There are no edges if the action needs no several
// variants, or if the work does not suffice.
func Explanation(w *work.Work, g *Graph, found *Found, toggling bool, action int) ([]int, Lack) {
	x := &explainer{regionSAT: regionSAT{sat{gini.New()}}, g: g, w: w, joined: g.of()[action],
		guards: map[int]z.Lit{}, codes: trivial(g.States)}
	for range g.States {
		x.solver.Lit()
	}
	others := make([][]int, found.Variants)
	for e, v := range found.Of {
		if g.Edges[e].Action != action {
			others[v] = append(others[v], e)
		}
	}
	others = slices.DeleteFunc(others, func(edges []int) bool { return len(edges) == 0 })
	any := allowed(toggling)
	for _, edges := range others {
		does := x.slot(any)
		for _, e := range edges {
			x.explains(does, g.Edges[e])
		}
	}
	does := x.slot(any)
	for _, e := range x.joined {
		in := x.solver.Lit()
		x.explains(does, g.Edges[e], in.Not())
		x.guards[e] = in
	}
	return x.explain(others)
}

// explainer asks for regions that fit the variants of all other actions, and some edges of one
// action as a variant.
type explainer struct {
	regionSAT
	g       *Graph
	w       *work.Work
	joined  []int         // the edges of the action
	guards  map[int]z.Lit // by such an edge: it is of the variant
	regions []bitset.Set  // that fit all edges
	codes   partition     // of the states, by these
}

func (x *explainer) slot(any effects) slot {
	v := slot{x.solver.Lit(), x.solver.Lit(), x.solver.Lit()}
	x.one(v, any)
	return v
}

// question asks for a region with some values and, if it is about the action's own preconditions,
// one that holds in the sources of its edges too.
type question struct {
	values []z.Lit
	own    bool
}

// ask is 1 if there is a region given some of the action's edges, -1 if there is none, and 0 if the
// work does not suffice.
func (x *explainer) ask(q question, edges []int) int {
	x.solver.Assume(q.values...)
	for _, e := range edges {
		x.solver.Assume(x.guards[e])
		if q.own {
			x.solver.Assume(x.holds(x.g.Edges[e].Source))
		}
	}
	x.w.Spend(1)
	return x.w.Decide(x.solver)
}

// fits asks about all edges and keeps the region.
func (x *explainer) fits(q question) bool {
	if x.ask(q, x.joined) != 1 {
		return false
	}
	region := x.found(x.g.States)
	x.regions = append(x.regions, region)
	x.codes = x.codes.split(region)
	return true
}

// needed are edges without any one of which there is a region; none if that takes too much work.
func (x *explainer) needed(q question) []int {
	needed := x.joined
	for _, e := range x.joined {
		rest := slices.DeleteFunc(slices.Clone(needed), func(f int) bool { return f == e })
		switch x.ask(q, rest) {
		case 0:
			return nil
		case -1:
			needed = rest
		}
	}
	return needed
}

func (x *explainer) explain(others [][]int) ([]int, Lack) {
	for x.codes.blocks < x.g.States {
		s, t := x.codes.pair()
		if q := (question{values: []z.Lit{x.holds(s), x.holds(t).Not()}}); !x.fits(q) {
			return x.needed(q), Lack{One: s, Other: t}
		}
	}
	if edges, lack, found := x.allowed(x.joined, true); found {
		return edges, lack
	}
	for _, variant := range others {
		if edges, lack, found := x.allowed(variant, false); found {
			return edges, lack
		}
	}
	return nil, Lack{}
}

// allowed looks for a state that the preconditions of a variant cannot exclude.
func (x *explainer) allowed(variant []int, own bool) (edges []int, lack Lack, found bool) {
	action := x.g.Edges[variant[0]].Action
	sources := x.g.sources(variant)
	open := x.g.sources(x.g.of()[action])
	open.Add(x.g.Missing[action])
	open.Remove(sources)
	q := question{own: own}
	if !own {
		for s := range sources.Each {
			q.values = append(q.values, x.holds(s))
		}
	}
	for known := 0; ; {
		for _, region := range x.regions[known:] {
			agreeing(open, sources, region)
		}
		known = len(x.regions)
		if open.Empty() {
			return nil, Lack{}, false
		}
		state := 0
		for state = range open.Each {
			break
		}
		ask := question{append(slices.Clone(q.values), x.holds(state).Not()), own}
		if x.fits(ask) {
			continue
		}
		edges = x.needed(ask)
		if own {
			variant = edges
		}
		if len(edges) == 0 {
			return nil, Lack{}, true
		}
		return edges, Lack{One: x.g.Edges[variant[0]].Source, Other: state, Of: variant}, true
	}
}
