package variants

import (
	"reflect"
	"testing"

	"stripswm/models/operators/internal/work"
	"stripswm/models/taskgraph/fixtures"
)

func TestLeastIsProvedWhereTheGraphIsSmall(t *testing.T) {
	for _, c := range []struct {
		name     string
		g        *Graph
		toggling bool
		want     int
	}{
		{"blocks", blocks(), false, 11},
		{"blocks with toggles", blocks(), true, 11},
		{"lamp", fixture(fixtures.Lamp()), false, 6},
		{"lamp with toggles", fixture(fixtures.Lamp()), true, 5},
		{"tiles", fixture(fixtures.Tiles(2, 2)), false, 10},
		{"lights out with toggles", fixture(fixtures.LightsOut(2, 3)), true, 6},
		// some edges can only be one variant if another is in it, too: its source need not be excluded
		// then
		{"a third edge helps two", closedWorld(5, 1, Edge{0, 0, 2}, Edge{4, 0, 2}, Edge{2, 0, 1},
			Edge{3, 0, 3}, Edge{1, 0, 1}), false, 2},
		{"one state", closedWorld(1, 1, Edge{0, 0, 0}), false, 1},
		{"no edges", closedWorld(1, 2), false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			bound, found := Least(work.New(t.Context(), 20_000_000), c.g, c.toggling, nil)
			if bound != c.want || found == nil || found.Variants != c.want {
				t.Fatalf("%d and %+v, want %d", bound, found, c.want)
			}
			isFine(t, c.g, found, c.toggling)
		})
	}
}

// isFine fails unless the regions show that a grouping is fine.
func isFine(t *testing.T, g *Graph, f *Found, toggling bool) {
	t.Helper()
	of := make([][]int, f.Variants)
	for e, v := range f.Of {
		of[v] = append(of[v], e)
	}
	n := naive{g, toggling}
	codes := map[string]bool{}
	for s := range g.States {
		code := make([]byte, len(f.Regions))
		for k, x := range f.Regions {
			if x.Has(s) {
				code[k] = 1
			}
		}
		codes[string(code)] = true
	}
	if len(codes) != g.States {
		t.Errorf("%d codes of %d states", len(codes), g.States)
	}
	for v, edges := range of {
		action := g.Edges[edges[0]].Action
		mustNot := g.Missing[action].Clone()
		mustNot.Add(g.sources(g.of()[action]))
		sources := g.sources(edges)
		mustNot.Remove(sources)
		for _, x := range f.Regions {
			if !n.does(int(x[0]), edges) {
				t.Errorf("a region does not fit variant %d", v)
			}
			if sources.Within(x) {
				for s := range mustNot.Each {
					if !x.Has(s) {
						mustNot.Clear(s)
					}
				}
			}
			if !sources.Meets(x) {
				mustNot.Remove(x)
			}
		}
		if !mustNot.Empty() {
			t.Errorf("variant %d also applies in %d states", v, mustNot.Count())
		}
	}
}

func TestALargeGraphHasABound(t *testing.T) {
	for _, c := range []struct {
		name        string
		g           *Graph
		toggling    bool
		least, most int // of the bound
	}{
		{"hanoi", fixture(fixtures.Hanoi(3)), false, 10, 18},
		{"tiles", fixture(fixtures.Tiles(2, 3)), false, 4, 70},
	} {
		t.Run(c.name, func(t *testing.T) {
			bound, found := Least(work.New(t.Context(), 2_000_000), c.g, c.toggling, nil)
			if bound < c.least || bound > c.most || found != nil {
				t.Errorf("%d to %v, want from %d to %d", bound, found, c.least, c.most)
			}
		})
	}
}

func TestWhatIsKnownToBeTheLeastIsKept(t *testing.T) {
	g := fixture(fixtures.LightsOut(2, 3))
	best := &Found{Variants: 6}
	w := work.New(t.Context(), 1)
	if bound, found := Least(w, g, true, best); bound != 6 || found != best || w.Left() != 1 {
		t.Errorf("%d and %+v with %d steps left of 1", bound, found, w.Left())
	}
}

func TestABetterGroupingIsReturned(t *testing.T) {
	g := blocks()
	worse := edgeByEdge(g).found(g)
	bound, found := Least(work.New(t.Context(), 20_000_000), g, false, worse)
	if bound != 11 || found.Variants != 11 {
		t.Errorf("%d and %d variants, want 11", bound, found.Variants)
	}
	if bound, same := Least(work.New(t.Context(), 20_000_000), g, false, found); bound != 11 ||
		same != found {
		t.Errorf("%d and another grouping, want 11 and the given one", bound)
	}
	if bound, same := Least(work.New(t.Context(), 1000), g, false, worse); bound > 11 ||
		same != worse {
		t.Errorf("%d and another grouping with little work, want at most 11 and the given one", bound)
	}
}

func TestLeastIsTheSameEachTime(t *testing.T) {
	bound, found := Least(work.New(t.Context(), 300_000), blocks(), true, nil)
	for range 3 {
		again, other := Least(work.New(t.Context(), 300_000), blocks(), true, nil)
		if again != bound || !reflect.DeepEqual(found, other) {
			t.Errorf("%d and %+v, then %d and %+v", bound, found, again, other)
		}
	}
}
