package variants

import (
	"math/rand/v2"

	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"
)

// Known is a region of which only the values in some states are known.
type Known struct{ X, States bitset.Set }

// Revise groups the edges of a graph that has changed a little since they were
// grouped: of is the variant of each edge then, -1 for new ones, and regions are
// those of then. What is not fine any more is taken distinct to its edges, and these
// and the new ones join what they can. Where the work does not suffice for that, each
// edge is on its own.
func Revise(w *work.Work, g *Graph, toggling bool, of []int, regions []Known) *Found {
	any := allowed(toggling)
	rng := rand.New(rand.NewPCG(0, streamRevise))
	now := make([]int, len(of))
	first := map[int]int{}
	for e, v := range of {
		if _, seen := first[v]; v < 0 || !seen {
			first[v] = e
			now[e] = e
			continue
		}
		now[e] = first[v]
	}
	for distinct := true; distinct && !w.Over(); {
		j := newMerger(g, w, rng, any, now, nil)
		j.accept(regions)
		bad, told := j.faults()
		if len(bad) == 0 && told {
			var loose []int
			for e, v := range now {
				if v == e && len(j.members[v]) == 1 {
					loose = append(loose, e)
				}
			}
			j.grow(loose)
			return j.grouping().found(g)
		}
		distinct = false
		for e, v := range now {
			if v != e && (bad[v] || !told) {
				now[e], distinct = e, true
			}
		}
	}
	return edgeByEdge(g).found(g)
}

// accept takes regions up that fit.
func (j *merger) accept(regions []Known) {
	for _, known := range regions {
		for s := range known.States.Each {
			lit := j.holds(s)
			if !known.X.Has(s) {
				lit = lit.Not()
			}
			j.solver.Assume(lit)
		}
		if f, ok := j.ask(); ok {
			j.regions = append(j.regions, f)
		}
	}
}

// faults are the variants whose preconditions cannot exclude what they have to,
// and whether all states can be distinguished.
func (j *merger) faults() (bad map[int]bool, distinct bool) {
	as := &attempt{merger: j, v: -1, u: -1, regions: j.regions}
	bad = map[int]bool{}
	for v, edges := range j.members {
		if edges != nil && !as.excludes(v) {
			bad[v] = true
		}
	}
	distinct = as.distinguishes()
	j.regions = as.regions
	return bad, distinct
}
