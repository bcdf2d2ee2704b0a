package variants

import (
	"slices"
	"testing"

	"stripswm/models/operators/internal/work"
	"stripswm/models/taskgraph/fixtures"
)

// TestExplanationOfVariants: the edges named cannot be one variant while the other actions stay
// as they are, and all but any one of them can.
func TestExplanationOfVariants(t *testing.T) {
	for _, c := range []struct {
		name string
		g    *Graph
	}{
		{"blocks", blocks()},
		{"tiles", fixture(fixtures.Tiles(2, 2))},
		{"lamp", fixture(fixtures.Lamp())},
	} {
		g := c.g
		_, found := Least(work.New(t.Context(), 20_000_000), g, false, nil)
		for action, edges := range g.of() {
			w := work.New(t.Context(), 1_000_000)
			variants := map[int]bool{}
			for _, e := range edges {
				variants[found.Of[e]] = true
			}
			why, lack := Explanation(w, g, found, false, action)
			if len(variants) == 1 {
				if why != nil {
					t.Errorf("%s, action %d is one variant, but %v", c.name, action, why)
				}
				continue
			}
			if len(why) < 2 || !slices.IsSorted(why) ||
				slices.ContainsFunc(why, func(e int) bool { return g.Edges[e].Action != action }) {
				t.Fatalf("%s, action %d: %v is no reason", c.name, action, why)
			}
			if lack.One == lack.Other {
				t.Errorf("%s, action %d: %+v is not lacking", c.name, action, lack)
			}
			if together(g, found, action, why, lack) {
				t.Errorf("%s, action %d: %v can be one variant", c.name, action, why)
			}
			for k := range why {
				if rest := slices.Delete(slices.Clone(why), k, k+1); !together(g, found, action, rest, lack) {
					t.Errorf("%s, action %d: %v does without %v", c.name, action, why, why[k])
				}
			}
		}
	}
}

// together says whether there still is a region for what is said to be lacking if some edges of an
// action are one variant and its others are on their own; it tries each region.
func together(g *Graph, found *Found, action int, some []int, lack Lack) bool {
	of := map[int][]int{}
	for e, v := range found.Of {
		switch {
		case g.Edges[e].Action != action:
			of[v] = append(of[v], e)
		case slices.Contains(some, e):
			of[-1] = append(of[-1], e)
		}
	}
regions:
	for x := range 1 << g.States {
		for _, edges := range of {
			if !(naive{g, false}).does(x, edges) {
				continue regions
			}
		}
		required := []int{lack.One}
		for _, e := range lack.Of {
			if g.Edges[e].Action != action || slices.Contains(some, e) {
				required = append(required, g.Edges[e].Source)
			}
		}
		if slices.ContainsFunc(required, func(s int) bool { return x>>s&1 == 0 }) ||
			x>>lack.Other&1 == 1 {
			continue
		}
		return true
	}
	return false
}
