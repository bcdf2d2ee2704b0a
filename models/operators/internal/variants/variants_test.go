package variants

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"
	"stripswm/models/worlds/fixtures"
)

// of is the graph of a fixture, in which what the fixture does not allow is missing.
func of(p fixtures.Fixture) *Graph {
	known := p.Graph()
	var edges []Edge
	for _, e := range known.Edges {
		edges = append(edges, Edge{int(e.Source), int(e.Action) - 1, int(e.Target)})
	}
	return closedWorld(known.NumStates(), known.NumActions(), edges)
}

// closedWorld is a graph whose actions must not apply but where they were seen.
func closedWorld(states, actions int, edges []Edge) *Graph {
	g := &Graph{States: states, Actions: actions, Edges: edges}
	for _, edges := range g.of() {
		missing := bitset.New(states)
		for s := range states {
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

func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 3)) }

// ran is what a search finds.
func ran(s *search) *Found {
	s.run()
	return s.best.found(s.g)
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
		var edges []int
		begins, applies := map[int]bool{}, map[int]bool{}
		for e, edge := range g.Edges {
			if edge.Action == action {
				applies[edge.Source] = true
			}
			if f.Of[e] == v {
				edges = append(edges, e)
				begins[edge.Source] = true
			}
		}
		excluded := map[int]bool{}
		for _, x := range f.Regions {
			if !changesAlike(g, x.Has, edges, toggling) {
				return "a region without an effect that fits"
			}
			holds, not := true, true
			for _, e := range edges {
				holds = holds && x.Has(g.Edges[e].Source)
				not = not && !x.Has(g.Edges[e].Source)
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

// changesAlike says whether some edges change a region in one way.
func changesAlike(g *Graph, holds func(state int) bool, edges []int, toggling bool) bool {
	inert, adds, deletes, toggles := true, true, true, toggling
	for _, e := range edges {
		from, to := holds(g.Edges[e].Source), holds(g.Edges[e].Target)
		inert = inert && from == to
		adds = adds && to
		deletes = deletes && !to
		toggles = toggles && from != to
	}
	return inert || adds || deletes || toggles
}

// random draws a deterministic graph, some of whose pairs without an edge are missing.
func random(t *rapid.T) *Graph {
	g := &Graph{States: rapid.IntRange(1, 12).Draw(t, "states"),
		Actions: rapid.IntRange(1, 3).Draw(t, "actions")}
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
		f := ran(newSearch(w, g, toggling, seeded(rapid.Uint64().Draw(r, "seed"))))
		if bad := wrong(g, f, toggling); bad != "" {
			r.Fatal(bad)
		}
	})
}

// What a search does next does not depend on the steps that are left.
func TestMoreStepsNeverMoreVariants(t *testing.T) {
	for name, g := range map[string]*Graph{
		"tiles":        of(fixtures.Tiles(2, 2)),
		"key and door": of(fixtures.KeyDoor()),
		"hanoi":        of(fixtures.Hanoi(3)),
	} {
		t.Run(name, func(t *testing.T) {
			var counts []int
			for thousands := int64(0); thousands <= 2_400; thousands += 200 {
				f, toggling := Find(work.New(t.Context(), 1000*thousands), g, 1)
				if bad := wrong(g, f, toggling); bad != "" {
					t.Fatalf("%d thousand steps: %s", thousands, bad)
				}
				if counts = append(counts, f.Variants); counts[0] != len(g.Edges) {
					t.Fatalf("%d variants without a step, want one for each of %d edges", counts[0], len(g.Edges))
				}
			}
			for i := range counts[1:] {
				if counts[i+1] > counts[i] {
					t.Fatalf("variants by steps: %v", counts)
				}
			}
			t.Log(counts)
			if 2*counts[len(counts)-1] > counts[0] {
				t.Errorf("variants by steps: %v, want less than half of the first at last", counts)
			}
		})
	}
}

func TestMachineOfAnAbstraction(t *testing.T) {
	g := of(fixtures.Hanoi(3))
	n := &encoder{g: g, w: steps(t, 10), rng: rand.New(rand.NewPCG(1, 1))}
	for range 20 {
		s, u := n.together(trivial(g.States))
		abstractions(n.w, g, s, u, n.rng, func(p partition) {
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
				t.Fatal("states in one block that have to stay distinct")
			}
		})
	}
}
