package variants

import (
	"math/rand/v2"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"

	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"
)

// merger joins variants of one action where nothing is lost by it: afterwards,
// too, there is a region for each pair of states and for each state that a
// variant's preconditions have to exclude. It knows regions for all of them; only
// for those that are lost by a join it asks one SAT problem, in which two variants
// are joined by assuming a guard: their effects are equal then.
type merger struct {
	regionSAT
	g       *Graph
	w       *work.Work
	rng     *rand.Rand
	any     effects // that a variant may have
	of      []int   // variant of each edge, with gaps
	members [][]int // edges of each variant, none where it was joined to another
	lits    []z.Var // the first of each variant's variables
	guards  []z.Lit // not used yet
	live    int
	regions []fitted
	// negative are, by action, the states where a variant must not apply unless it
	// was seen there.
	negative []bitset.Set
}

// literals of a variant, from its first variable on.
const (
	litAdds = iota
	litDeletes
	litToggles
	litRequired // the region holds in all sources
	litsOfVariant
)

// manyGuards are made at a time: after each new variable the solver looks at all
// clauses once more.
const manyGuards = 32

// newMerger begins with variants that are fine, and with regions of which those
// that do not fit are left out.
func newMerger(g *Graph, w *work.Work, rng *rand.Rand, any effects, of []int,
	regions []bitset.Set,
) *merger {
	j := &merger{g: g, w: w, rng: rng, any: any, of: append([]int(nil), of...),
		members: make([][]int, len(g.Edges))}
	for e, v := range of {
		if j.members[v] == nil {
			j.live++
		}
		j.members[v] = append(j.members[v], e)
	}
	for a, edges := range g.of() {
		negative := g.Missing[a].Clone()
		negative.Add(g.sources(edges))
		j.negative = append(j.negative, negative)
	}
	for _, x := range regions {
		if f, ok := g.fit(x, j.of, len(j.members), any); ok {
			j.regions = append(j.regions, f)
		}
	}
	j.declare()
	w.Spend(int64(len(g.Edges) * (8 + len(regions))))
	return j
}

// declare makes the SAT problem: a variable for each state, four for each variant.
func (j *merger) declare() {
	j.regionSAT = regionSAT{sat{gini.NewVc(j.g.States+litsOfVariant*j.live, 8*len(j.g.Edges))}}
	j.lits, j.guards = make([]z.Var, len(j.members)), nil
	for range j.g.States {
		j.solver.Lit()
	}
	for v, edges := range j.members {
		if edges == nil {
			continue
		}
		j.lits[v] = j.solver.Lit().Var()
		for range litsOfVariant - 1 {
			j.solver.Lit()
		}
		does := slot{j.lit(v, litAdds), j.lit(v, litDeletes), j.lit(v, litToggles)}
		j.one(does, j.any)
		for _, e := range edges {
			j.explains(does, j.g.Edges[e])
			j.clause(j.lit(v, litRequired).Not(), j.holds(j.g.Edges[e].Source))
		}
	}
}

func (j *merger) lit(v, k int) z.Lit { return (j.lits[v] + z.Var(k)).Pos() }

// guard is a literal of no clause yet.
func (j *merger) guard() z.Lit {
	if len(j.guards) == 0 {
		for range manyGuards {
			j.guards = append(j.guards, j.solver.Lit())
		}
	}
	m := j.guards[0]
	j.guards = j.guards[1:]
	return m
}

// attempt is a join that is being tried.
type attempt struct {
	*merger
	v, u    int
	guard   z.Lit    // none if nothing is joined
	regions []fitted // that survive it, and new ones
	old     int      // those that survive
}

// merge joins u to v and says whether that could be done.
func (j *merger) merge(v, u int) bool {
	a := &attempt{merger: j, v: v, u: u, guard: j.guard()}
	for _, f := range j.regions {
		if f.does[v]&f.does[u] != 0 {
			a.regions = append(a.regions, f)
		}
	}
	a.old = len(a.regions)
	for k := range litsOfVariant {
		j.clause(a.guard.Not(), j.lit(v, k).Not(), j.lit(u, k))
		j.clause(a.guard.Not(), j.lit(v, k), j.lit(u, k).Not())
	}
	asked := j.solver
	if !a.fine() {
		if j.solver == asked {
			j.clause(a.guard.Not())
		}
		j.regions = append(j.regions, a.regions[a.old:]...) // they fit without the join, too
		return false
	}
	j.clause(a.guard)
	for _, f := range a.regions {
		f.does[v] &= f.does[u]
	}
	j.regions = a.regions
	for _, e := range j.members[u] {
		j.of[e] = v
	}
	j.members[v] = append(j.members[v], j.members[u]...)
	j.members[u] = nil
	j.live--
	return true
}

// fine says whether nothing is lost, and finds the regions that it takes.
func (a *attempt) fine() bool {
	if !a.excludes(a.v) {
		return false
	}
	for v, edges := range a.members {
		if edges != nil && v != a.v && v != a.u && !a.excludes(v) {
			return false
		}
	}
	return a.distinguishes()
}

// excludes says whether the preconditions of a variant can exclude what they have
// to: the other sources of its action, and the states where that must not apply.
func (a *attempt) excludes(v int) bool {
	edges := a.members[v]
	if v == a.v {
		edges = append(edges[:len(edges):len(edges)], a.members[a.u]...)
	}
	sources := a.g.sources(edges)
	open := a.negative[a.g.Edges[edges[0]].Action].Clone()
	open.Remove(sources)
	known := 0
	for {
		for _, f := range a.regions[known:] {
			agreeing(open, sources, f.x)
		}
		known = len(a.regions)
		a.w.Spend(int64(len(open)))
		if open.Empty() {
			return true
		}
		for s := range open.Each {
			if !a.find(a.lit(v, litRequired), a.holds(s).Not()) {
				return false
			}
			break
		}
	}
}

// distinguishes says whether all states can have codes of their own.
func (a *attempt) distinguishes() bool {
	codes := trivial(a.g.States)
	known := 0
	for {
		for _, f := range a.regions[known:] {
			if codes.blocks == a.g.States {
				break
			}
			codes = codes.split(f.x)
			a.w.Spend(int64(a.g.States) / 8)
		}
		known = len(a.regions)
		if codes.blocks == a.g.States {
			return true
		}
		s, t := codes.complements()
		if !a.find(a.holds(s), a.holds(t).Not()) {
			return false
		}
	}
}

// find asks for a region with the given values that fits the join.
func (a *attempt) find(values ...z.Lit) bool {
	a.solver.Assume(values...)
	if a.guard != z.LitNull {
		a.solver.Assume(a.guard)
	}
	f, found := a.ask()
	if found {
		a.regions = append(a.regions, f)
	}
	return found
}

// mergeSAT is how many steps one question may take: with toggles it is one of linear
// algebra, at which SAT is bad.
const mergeSAT = 300_000

// ask solves under the assumptions made, and returns the region. No answer counts
// as none found; the problem is made again then.
func (j *merger) ask() (fitted, bool) {
	j.w.Spend(1)
	switch j.w.Try(j.solver, mergeSAT) {
	case 0:
		j.declare()
		return fitted{}, false
	case -1:
		return fitted{}, false
	}
	return j.g.fit(j.found(j.g.States), j.of, len(j.members), j.any)
}
