package variants

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"
	"stripswm/models/taskgraph/fixtures"
)

// of is the graph of all that a fixture allows: what it does not allow is missing.
func of(p fixtures.Fixture) *Graph {
	known := p.Graph()
	g := &Graph{States: known.NumStates(), Actions: known.NumActions()}
	for _, e := range known.Edges {
		g.Edges = append(g.Edges, Edge{int(e.Source), int(e.Action) - 1, int(e.Target)})
	}
	return g.closed()
}

// closed has every pair without an edge missing.
func (g *Graph) closed() *Graph {
	for _, edges := range g.of() {
		missing := bitset.New(g.States)
		for s := range g.States {
			missing.Set(s)
		}
		missing.Remove(g.sources(edges))
		g.Missing = append(g.Missing, missing)
	}
	return g
}

func steps(t testing.TB, millions int64) *work.Work {
	return work.New(t.Context(), millions*1_000_000)
}

// wrong says what of a grouping is not fine, by the definition and nothing else.
func wrong(g *Graph, f *Found, toggling bool) string {
	codes := map[string]bool{}
	for s := range g.States {
		code := ""
		for _, x := range f.Regions {
			code += map[bool]string{false: "0", true: "1"}[x.Has(s)]
		}
		if codes[code] {
			return "two states have one code"
		}
		codes[code] = true
	}
	seen := map[int]int{}
	for e, v := range f.Of {
		if v < 0 || v >= f.Variants {
			return "a variant that there is not"
		}
		if a, ok := seen[v]; ok && a != g.Edges[e].Action {
			return "a variant of two actions"
		}
		seen[v] = g.Edges[e].Action
	}
	if len(f.Of) != len(g.Edges) || len(seen) != f.Variants {
		return "not as many variants as it says"
	}
	for v, action := range seen {
		begins := map[int]bool{}
		applies := map[int]bool{}
		for e, edge := range g.Edges {
			if edge.Action == action {
				applies[edge.Source] = true
			}
			if f.Of[e] == v {
				begins[edge.Source] = true
			}
		}
		excluded := map[int]bool{}
		for _, x := range f.Regions {
			stays, rises, falls, flips := true, true, true, toggling
			holds, not := true, true
			for e, edge := range g.Edges {
				if f.Of[e] != v {
					continue
				}
				before, after := x.Has(edge.Source), x.Has(edge.Target)
				stays = stays && before == after
				flips = flips && before != after
				rises = rises && after
				falls = falls && !after
				holds = holds && before
				not = not && !before
			}
			if !stays && !rises && !falls && !flips {
				return "a region without an effect that fits"
			}
			for s := range g.States {
				if holds && !x.Has(s) || not && x.Has(s) {
					excluded[s] = true
				}
			}
		}
		for s := range g.States {
			if !begins[s] && (applies[s] || g.Missing[action].Has(s)) && !excluded[s] {
				return "a state that no precondition excludes"
			}
		}
	}
	return ""
}

func TestFewVariantsOfFixtures(t *testing.T) {
	for _, k := range []struct {
		p        fixtures.Fixture
		toggling bool
		millions int64
		most     int
	}{
		{fixtures.Lamp(), false, 1, 7},
		{fixtures.Hanoi(3), false, 30, 18},
		{fixtures.LightsOut(2, 3), true, 20, 6},
		{fixtures.LightsOut(3, 3), true, 40, 9},
		{fixtures.Tiles(2, 2), false, 3, 12},
		{fixtures.KeyDoor(), false, 15, 30},
	} {
		t.Run(k.p.Name, func(t *testing.T) {
			t.Parallel()
			g := of(k.p)
			f := ran(newSearch(steps(t, k.millions), g, k.toggling, seeded(1)))
			if bad := wrong(g, f, k.toggling); bad != "" {
				t.Fatal(bad)
			}
			t.Log(f.Variants, "variants,", len(f.Regions), "regions")
			if f.Variants > k.most {
				t.Errorf("%d variants, want at most %d", f.Variants, k.most)
			}
		})
	}
}

func TestSlidingTilesAsTheWorkEnds(t *testing.T) {
	g := of(fixtures.Tiles(2, 3))
	f := ran(newSearch(steps(t, 8), g, false, seeded(1)))
	if bad := wrong(g, f, false); bad != "" {
		t.Fatal(bad)
	}
}

// random draws a deterministic graph, some of whose pairs without an edge are missing.
func random(t *rapid.T) *Graph {
	g := &Graph{States: rapid.IntRange(1, 12).Draw(t, "states"), Actions: rapid.IntRange(1, 3).Draw(t,
		"actions")}
	for a := range g.Actions {
		missing := bitset.New(g.States)
		for s := range g.States {
			switch target := rapid.IntRange(-2, g.States-1).Draw(t, "target"); {
			case target >= 0:
				g.Edges = append(g.Edges, Edge{s, a, target})
			case target == -1:
				missing.Set(s)
			}
		}
		g.Missing = append(g.Missing, missing)
	}
	return g
}

func TestAnyGraph(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		g, toggling := random(r), rapid.Bool().Draw(r, "toggling")
		w := work.New(t.Context(), rapid.Int64Range(0, 200_000).Draw(r, "steps"))
		if bad := wrong(g, ran(newSearch(w, g, toggling, seeded(rapid.Uint64().Draw(r, "seed")))),
			toggling); bad != "" {
			r.Fatal(bad)
		}
	})
}

func TestSameWorkAndSeedSameVariants(t *testing.T) {
	g := of(fixtures.Carrier(2, 2))
	a, b := ran(newSearch(steps(t, 3), g, false, seeded(7))), ran(newSearch(steps(t, 3), g, false,
		seeded(7)))
	if !reflect.DeepEqual(a, b) {
		t.Errorf("%d and %d variants of the same graph", a.Variants, b.Variants)
	}
}

func TestEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	g := of(fixtures.Tiles(2, 3))
	f := ran(newSearch(work.UntilDone(ctx), g, false, seeded(1)))
	if bad := wrong(g, f, false); bad != "" {
		t.Fatal(bad)
	}
}

func TestMachineOfAnAbstraction(t *testing.T) {
	g := of(fixtures.Hanoi(3))
	n := &encoder{g: g, w: steps(t, 10), rng: rand.New(rand.NewPCG(1, 1))}
	for range 20 {
		s, u := n.together(trivial(g.States))
		p := abstract(n.w, g, s, u, n.rng)
		m := g.machine(p)
		to := map[[2]int]int{}
		for _, e := range m.Edges {
			key := [2]int{e.Source, e.Action}
			if at, ok := to[key]; ok && at != e.Target {
				t.Fatalf("action %d leads from block %d to %d and %d", e.Action, e.Source, at, e.Target)
			}
			to[key] = e.Target
			if m.Missing[e.Action].Has(e.Source) {
				t.Fatalf("action %d applies in block %d, where it is missing", e.Action, e.Source)
			}
		}
		if p.block[s] == p.block[u] {
			t.Fatal("states in one block that had to stay distinct")
		}
	}
}

func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 3)) }

// ran is what a search finds.
func ran(s *search) *Found {
	s.run()
	return s.best.found(s.g)
}
