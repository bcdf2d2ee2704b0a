package variants

import (
	"slices"

	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"
)

// Least returns a number that no grouping has fewer variants than, and the best
// grouping known: best or a better one. If it has as many variants as that, it is
// proved to have the fewest. Best may be nil; the result is, too, if nothing was
// found.
//
// It is a search from below: numbers of variants for each action (quota.go), a
// grouping that keeps to them and has none of the conflicts known (master.go), more
// conflicts of that grouping (refute.go, inquiry.go), and so on until there is none
// or no grouping is left. Symmetries of the graph multiply what was learnt. First
// each action is looked at alone, the edges of others being variants of their own.
// In a large graph only some edges are looked at; the number is a bound all the
// same, as fewer edges never take more variants.
func Least(w *work.Work, g *Graph, toggling bool, best *Found) (bound int, found *Found) {
	return least(w, g, toggling, best, manyTriples)
}

func least(w *work.Work, g *Graph, toggling bool, best *Found,
	triples int,
) (bound int, found *Found) {
	c := &climber{refuter: newRefuter(g, w, toggling), known: map[string]bool{}}
	enough := len(g.Edges) + 1
	if best != nil {
		enough = best.Variants
	}
	var ids [][]int
	for _, edges := range c.others {
		bound += min(1, len(edges))
		if len(edges) > 1 {
			ids = append(ids, edges)
		}
	}
	if bound == enough {
		return bound, best
	}
	w.Within(5, func() { c.symmetries = symmetries(w, g) })
	w.Within(20, func() {
		conflicts, regions, fine := c.refute(ids, -1)
		if fine {
			found = c.found(ids, regions)
			return
		}
		c.choose(triples, c.learn(conflicts))
	})
	if found != nil {
		return bound, found
	}
	floors := 0
	for a, edges := range c.others {
		alone := make([][]int, g.Actions)
		alone[a] = edges
		w.Within(int64(60/(g.Actions-a)), func() { // no more than three fifths for all
			least, _ := c.climb(alone, min(1, len(edges)), len(edges)+1)
			floors += least
		})
	}
	bound = max(bound, floors)
	if bound < enough {
		bound, found = c.climb(c.others, bound, enough)
	}
	if found == nil {
		found = best
	}
	return bound, found
}

// climber looks for the least number of variants from below, of those edges that
// are the others of its refuter.
type climber struct {
	*refuter
	symmetries []symmetry
	conflicts  []conflict
	exceeded   [][]int         // limits that are too few
	known      map[string]bool // keys of the conflicts
}

// manyTriples of edges of one action are as many as the master is to know.
const manyTriples = 100_000

// choose takes all edges of a small graph. Of a large one it takes those of some
// conflicts first; only their sources are to be excluded then.
func (c *climber) choose(triples int, conflicts []conflict) {
	most := 3
	for c.triples(most+1) <= triples && most < len(c.g.Edges) {
		most++
	}
	chosen := make([][]int, c.g.Actions)
	taken := make([]bool, len(c.g.Edges))
	take := func(e int) {
		a := c.g.Edges[e].Action
		if !taken[e] && len(chosen[a]) < most {
			taken[e] = true
			chosen[a] = append(chosen[a], e)
		}
	}
	for _, f := range conflicts {
		for _, set := range f.together {
			for _, e := range set {
				take(e)
			}
		}
	}
	for e := range c.g.Edges {
		take(e)
	}
	for _, edges := range chosen {
		slices.Sort(edges)
	}
	c.others = chosen
}

// triples counts them if no action has more than so many edges.
func (c *climber) triples(most int) int {
	n := 0
	for _, edges := range c.g.of() {
		k := min(most, len(edges))
		n += k * (k - 1) * (k - 2) / 6
	}
	return n
}

// climb raises the number of variants of some edges, by action, from one that is
// known to be a bound until there is a grouping or the number is enough.
func (c *climber) climb(edges [][]int, bound, enough int) (int, *Found) {
	if c.w.Over() {
		return bound, nil
	}
	m, q := newMaster(c.w, edges), newQuota(c.w, edges)
	within := func(a int) bool { return len(edges[a]) > 0 }
	for _, f := range c.conflicts {
		m.avoid(f)
	}
	for _, limits := range c.exceeded {
		if ofSome(limits, within) {
			m.exclude(limits)
			q.exclude(limits)
		}
	}
	for bound < enough && !c.w.Over() {
		limits, answer := q.propose(bound)
		switch answer {
		case 0:
			return bound, nil
		case -1:
			bound++
			continue
		}
		groups, core, answer := m.propose(limits)
		switch answer {
		case 0:
			return bound, nil
		case -1:
			for _, limits := range c.exceed(m.shrink(core)) {
				if ofSome(limits, within) {
					m.exclude(limits)
					q.exclude(limits)
				}
			}
			continue
		}
		found, regions, fine := c.refute(groups, -1)
		if fine {
			return bound, c.found(groups, regions)
		}
		for _, f := range c.learn(found) {
			m.avoid(f)
		}
	}
	return bound, nil
}

// ofSome says whether there are limits for no others than some actions.
func ofSome(limits []int, within func(a int) bool) bool {
	for a, k := range limits {
		if k >= 0 && !within(a) {
			return false
		}
	}
	return true
}

// learn keeps conflicts and their images, and returns those that are new.
func (c *climber) learn(found []conflict) []conflict {
	before := len(c.conflicts)
	for _, f := range found {
		images := []conflict{f}
		for _, s := range c.symmetries {
			images = append(images, s.conflict(f))
		}
		for _, f := range images {
			if key := f.key(); !c.known[key] {
				c.known[key] = true
				c.conflicts = append(c.conflicts, f)
			}
		}
		c.w.Spend(int64(len(images)))
	}
	return c.conflicts[before:]
}

// exceed keeps limits that are too few and their images, and returns these.
func (c *climber) exceed(limits []int) [][]int {
	images := [][]int{limits}
	for _, s := range c.symmetries {
		images = append(images, s.limits(limits))
	}
	c.exceeded = append(c.exceeded, images...)
	return images
}

// found is a grouping of all edges; of some it says nothing about the graph.
func (c *climber) found(groups [][]int, regions []bitset.Set) *Found {
	n := edgeByEdge(c.g)
	chosen := 0
	for _, edges := range c.others {
		chosen += len(edges)
	}
	if chosen < len(c.g.Edges) {
		return nil
	}
	for _, edges := range groups {
		for _, e := range edges {
			n.of[e] = edges[0]
		}
	}
	n.regions = regions
	return n.found(c.g)
}
