package variants

import (
	"testing"

	"stripswm/models/operators/internal/work"
	"stripswm/models/taskgraph/fixtures"
)

func TestSymmetriesMapGraphsToThemselves(t *testing.T) {
	corrupted := blocks()
	for s := range corrupted.Missing[2].Each {
		corrupted.Missing[2].Clear(s) // one of the three picks is not like the others now
	}
	unreached := closedWorld(3, 1, Edge{0, 0, 1}, Edge{1, 0, 0})
	for _, c := range []struct {
		name string
		g    *Graph
		want int
	}{
		{"blocks, three regions", blocks(), 5},
		{"blocks, two regions alike", corrupted, 1},
		{"hanoi, three pegs", fixture(fixtures.Hanoi(3)), 5},
		{"no more than many", fixture(fixtures.LightsOut(2, 3)), manySymmetries},
		{"a state that is not reached", unreached, 0},
	} {
		found := symmetries(work.New(t.Context(), 1_000_000), c.g)
		if len(found) != c.want {
			t.Errorf("%s: %d symmetries, want %d", c.name, len(found), c.want)
		}
		for _, s := range found {
			for e, edge := range c.g.Edges {
				image := Edge{s.state[edge.Source], s.action[edge.Action], s.state[edge.Target]}
				if c.g.Edges[s.edge[e]] != image {
					t.Fatalf("%s: %v is mapped to %v, want %v", c.name, edge, c.g.Edges[s.edge[e]], image)
				}
			}
			for a, missing := range c.g.Missing {
				for state := range c.g.States {
					if missing.Has(state) != c.g.Missing[s.action[a]].Has(s.state[state]) {
						t.Fatalf("%s: what is missing is not kept", c.name)
					}
				}
			}
		}
	}
}
