package variants

import (
	"math/rand/v2"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"

	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"
)

// merger merges variants of one action where the grouping stays valid: afterwards,
// too, there is a region for each pair of states and for each state that a
// variant's preconditions have to exclude. It knows regions for all of them. Only
// for those that a merge loses it asks one SAT problem, in which two variants
// are merged by assuming a guard: their effects are equal then.
type merger struct {
	regionSAT
	g       *Graph
	w       *work.Work
	rng     *rand.Rand
	any     effects // that a variant may have
	of      []int   // variant of each edge, with gaps
	members [][]int // edges of each variant, none where it was merged into another
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

// newMerger begins with a valid grouping, and with regions of which those that do not fit are left
// out.
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

// attempt is a merge that is being tried.
type attempt struct {
	*merger
	v, u    int
	guard   z.Lit
	regions []fitted // that survive it, and new ones
	old     int      // those that survive
}

// merge merges u into v and says whether that could be done.
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
		j.regions = append(j.regions, a.regions[a.old:]...) // they fit without the merge, too
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

// fine says whether the grouping stays valid, and finds the regions that show it.
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
		s, t := codes.pair()
		if !a.find(a.holds(s), a.holds(t).Not()) {
			return false
		}
	}
}

// find asks for a region with the given values that fits the merge.
func (a *attempt) find(values ...z.Lit) bool {
	a.solver.Assume(append(values, a.guard)...)
	f, found := a.ask()
	if found {
		a.regions = append(a.regions, f)
	}
	return found
}

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

// grouping is variants, and regions that show that it is valid.
type grouping struct {
	of       []int // variant of each edge, with gaps
	variants int
	size     int // sum of the squares of the variants' edges
	regions  []bitset.Set
}

func (j *merger) grouping() grouping {
	out := grouping{of: j.of, variants: j.live}
	for _, edges := range j.members {
		out.size += len(edges) * len(edges)
	}
	for _, f := range j.regions {
		out.regions = append(out.regions, f.x)
	}
	return out
}

// grow merges what it can into each of the given variants, first those with
// which most regions survive: they are likelier to be of one kind.
func (j *merger) grow(variants []int) {
	refused := map[[2]int]bool{}
	for _, v := range variants {
		for j.members[v] != nil && !j.w.Over() {
			action := j.g.Edges[j.members[v][0]].Action
			best, most := -1, -1
			scanned := 0
			for _, u := range j.rng.Perm(len(j.members)) {
				if u == v || j.members[u] == nil || j.g.Edges[j.members[u][0]].Action != action ||
					refused[[2]int{v, u}] {
					continue
				}
				survive := 0
				scanned++
				for _, f := range j.regions {
					if f.does[v]&f.does[u] != 0 {
						survive++
					}
				}
				if survive > most {
					best, most = u, survive
				}
			}
			j.w.Spend(int64(len(j.members)/8 + scanned*len(j.regions)/16))
			if best < 0 {
				break
			}
			if !j.merge(v, best) {
				refused[[2]int{v, best}] = true
				refused[[2]int{best, v}] = true
			}
		}
	}
}

// improve is a large neighbourhood search: it takes some variants apart to their
// edges, half of the time all of one action, and merges these again, until nothing
// has come of it so many times in a row.
func improve(g *Graph, w *work.Work, rng *rand.Rand, any effects, now grouping) grouping {
	best := now
	for idle := 0; idle < improveIdle && !w.Over(); idle++ {
		of, loose := apart(g, now.of, rng)
		j := newMerger(g, w, rng, any, of, now.regions)
		j.grow(loose)
		if w.Over() {
			break
		}
		next := j.grouping()
		if next.variants < now.variants || next.variants == now.variants && next.size >= now.size ||
			next.variants == now.variants+1 && rng.IntN(50) == 0 {
			now = next
		}
		if next.variants < best.variants {
			idle = 0
		}
		if next.variants <= best.variants {
			best = next
		}
	}
	return best
}

// apart takes two to four variants apart and returns the edges that it made
// variants of their own.
func apart(g *Graph, of []int, rng *rand.Rand) (out, loose []int) {
	members := make([][]int, len(of))
	for e, v := range of {
		members[v] = append(members[v], e)
	}
	var variants []int
	for v, edges := range members {
		if edges != nil {
			variants = append(variants, v)
		}
	}
	action := g.Edges[members[variants[rng.IntN(len(variants))]][0]].Action
	one := rng.IntN(2) == 0
	left := 2 + rng.IntN(3)
	taken := make([]bool, len(of))
	for _, i := range rng.Perm(len(variants)) {
		v := variants[i]
		if left > 0 && !(one && g.Edges[members[v][0]].Action != action) {
			taken[v] = true
			left--
		}
	}
	out = make([]int, len(of))
	for v, edges := range members {
		for _, e := range edges {
			if out[e] = edges[0]; taken[v] {
				out[e] = e
				loose = append(loose, e)
			}
		}
	}
	rng.Shuffle(len(loose), func(i, j int) { loose[i], loose[j] = loose[j], loose[i] })
	return out, loose
}

// first numbers variants by their first edges.
func first(variants [][]int, edges int) []int {
	of := make([]int, edges)
	for _, v := range variants {
		for _, e := range v {
			of[e] = v[0]
		}
	}
	return of
}

// variants are those that there are, in random order.
func (j *merger) variants() []int {
	var out []int
	for v, edges := range j.members {
		if edges != nil {
			out = append(out, v)
		}
	}
	j.rng.Shuffle(len(out), func(a, b int) { out[a], out[b] = out[b], out[a] })
	return out
}

// edgeByEdge has a variant for each edge. Any regions fit: they are the states'
// numbers in binary.
func edgeByEdge(g *Graph) grouping {
	of := discrete(len(g.Edges)).block
	n := grouping{of: of, variants: len(of), size: len(of)}
	for bit := 1; bit < g.States; bit *= 2 {
		x := bitset.New(g.States)
		for s := range g.States {
			if s&bit != 0 {
				x.Set(s)
			}
		}
		n.regions = append(n.regions, x)
	}
	return n
}

// found numbers the variants by action and first edge.
func (n grouping) found(g *Graph) *Found {
	f := &Found{Of: make([]int, len(n.of)), Regions: n.regions}
	for _, edges := range g.of() {
		number := map[int]int{}
		for _, e := range edges {
			k, seen := number[n.of[e]]
			if !seen {
				k = f.Variants
				number[n.of[e]] = k
				f.Variants++
			}
			f.Of[e] = k
		}
	}
	return f
}
