package variants

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"
)

// naive is the definition of a fine grouping, word for word: a region is the states
// where it holds, as a number, and each is tried.
type naive struct {
	g        *Graph
	toggling bool
}

// does says whether a variant changes a region in one way on all its edges.
func (n naive) does(region int, edges []int) bool {
	inert, adds, deletes, toggles := true, true, true, n.toggling
	for _, e := range edges {
		from, to := region>>n.g.Edges[e].Source&1, region>>n.g.Edges[e].Target&1
		inert = inert && from == to
		adds = adds && to == 1
		deletes = deletes && to == 0
		toggles = toggles && from != to
	}
	return inert || adds || deletes || toggles
}

func (n naive) fine(of []int) bool {
	variants := map[int][]int{}
	for e, v := range of {
		variants[v] = append(variants[v], e)
	}
	distinct := map[[2]int]bool{} // two states
	excluded := map[[2]int]bool{} // a variant and a state
regions:
	for x := range 1 << n.g.States {
		for _, edges := range variants {
			if !n.does(x, edges) {
				continue regions
			}
		}
		for s := range n.g.States {
			for t := range n.g.States {
				if x>>s&1 != x>>t&1 {
					distinct[[2]int{s, t}] = true
				}
			}
			for v, edges := range variants {
				all := true
				for _, e := range edges {
					all = all && x>>n.g.Edges[e].Source&1 == 1
				}
				if all && x>>s&1 == 0 {
					excluded[[2]int{v, s}] = true
				}
			}
		}
	}
	for s := range n.g.States {
		for t := range s {
			if !distinct[[2]int{s, t}] {
				return false
			}
		}
	}
	for v, edges := range variants {
		action := n.g.Edges[edges[0]].Action
		for s := range n.g.States {
			must := n.g.Missing[action].Has(s)
			for e, edge := range n.g.Edges {
				must = must || edge.Action == action && edge.Source == s && of[e] != v
			}
			for _, e := range edges {
				must = must && n.g.Edges[e].Source != s
			}
			if must && !excluded[[2]int{v, s}] {
				return false
			}
		}
	}
	return true
}

// least tries every grouping.
func (n naive) least() int {
	best := len(n.g.Edges)
	of := make([]int, len(n.g.Edges))
	var next func(e, variants int)
	next = func(e, variants int) {
		if variants >= best {
			return
		}
		if e == len(of) {
			if n.fine(of) {
				best = variants
			}
			return
		}
		seen := map[int]bool{}
		for f := range e {
			if n.g.Edges[f].Action == n.g.Edges[e].Action && !seen[of[f]] {
				seen[of[f]] = true
				of[e] = of[f]
				next(e+1, variants)
			}
		}
		of[e] = e
		next(e+1, variants+1)
	}
	next(0, 0)
	return best
}

// smallGraph draws a graph of up to six states and eight edges; every other one is its
// own mirror image.
func smallGraph(t *rapid.T) *Graph {
	g := &Graph{States: rapid.IntRange(2, 6).Draw(t, "states"), Actions: rapid.IntRange(1, 3).Draw(t,
		"actions")}
	mirrored := rapid.Bool().Draw(t, "mirrored")
	taken := map[[2]int]bool{}
	add := func(s, a, to int) {
		if !taken[[2]int{s, a}] && len(g.Edges) < 8 {
			taken[[2]int{s, a}] = true
			g.Edges = append(g.Edges, Edge{s, a, to})
		}
	}
	state := rapid.IntRange(0, g.States-1)
	for range rapid.IntRange(1, 8).Draw(t, "edges") {
		s, a, to := state.Draw(t, "source"), rapid.IntRange(0, g.Actions-1).Draw(t, "action"), state.Draw(
			t, "target")
		add(s, a, to)
		if mirrored {
			add(g.States-1-s, a, g.States-1-to)
		}
	}
	for a := range g.Actions {
		m := bitset.New(g.States)
		for s := range g.States {
			if !taken[[2]int{s, a}] && rapid.Bool().Draw(t, "missing") {
				m.Set(s)
			}
		}
		g.Missing = append(g.Missing, m)
	}
	return g
}

func TestTheLeastNumberIsThatOfAllGroupings(t *testing.T) {
	for _, toggling := range []bool{false, true} {
		t.Run(fmt.Sprintf("toggling %v", toggling), func(t *testing.T) {
			rapid.Check(t, func(r *rapid.T) {
				g := smallGraph(r)
				n := naive{g, toggling}
				want := n.least()
				bound, found := Least(work.New(t.Context(), 10_000_000), g, toggling, nil)
				if bound != want || found == nil || found.Variants != want {
					r.Fatalf("%d and %+v, but the least is %d", bound, found, want)
				}
				if !n.fine(found.Of) {
					r.Fatalf("not fine: %v", found.Of)
				}
				if bound, _ := Least(work.New(t.Context(), rapid.Int64Range(0, 3000).Draw(r, "work")), g,
					toggling, nil); bound > want {
					r.Fatalf("with little work it is at least %d, and %d is fine", bound, want)
				}
				if bound, _ := least(work.New(t.Context(), 10_000_000), g, toggling, nil,
					rapid.IntRange(0, 10).Draw(r, "triples")); bound > want {
					r.Fatalf("of some edges it is at least %d, and %d is fine", bound, want)
				}
			})
		})
	}
}
