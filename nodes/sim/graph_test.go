package sim_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"stripswm/models/strips"
	"stripswm/nodes/sim"
)

func explored(t testing.TB, w *sim.World, seed uint64) *sim.Graph {
	t.Helper()
	g, err := sim.Explored(w, seed)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// The part that is explored is as large as the paper's, connected, and the same for a seed.
func TestExplored(t *testing.T) {
	for _, name := range sim.Names() {
		w := world(t, name)
		want := w.Dataset()
		for seed := range uint64(21) {
			g := explored(t, w, seed)
			if len(g.States()) != want.States || len(g.Actions()) != want.Actions {
				t.Errorf("%s, seed %d: %d states and %d actions, want %+v", name, seed, len(g.States()),
					len(g.Actions()), want)
			}
			if reached := len(g.Distances(w.Initial())); reached != want.States {
				t.Errorf("%s, seed %d: %d of %d states reached", name, seed, reached, want.States)
			}
			if !slices.Equal(g.Edges(), explored(t, w, seed).Edges()) {
				t.Errorf("%s, seed %d: not repeatable", name, seed)
			}
		}
	}
}

// A plan of Path leads where it should and is as long as Distances says.
func TestPath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := anyWorld(t)
		g, err := sim.Explored(w, rapid.Uint64Range(0, 3).Draw(t, "seed"))
		if err != nil {
			t.Fatal(err)
		}
		from := rapid.SampledFrom(g.States()).Draw(t, "from")
		to := rapid.SampledFrom(g.States()).Draw(t, "to")
		plan, ok := g.Path(from, to)
		d, reached := g.Distances(from)[to]
		if !reached && !ok && slices.Contains(oneWay, w.Name()) {
			return
		}
		if !ok || len(plan) != d || !slices.Contains(g.AtDistance(from, d), to) {
			t.Fatalf("plan %v from %d to %d at distance %d, found %v", plan, from, to, d, ok)
		}
		at := from
		for _, a := range plan {
			inGraph, ok := g.Next(at, a)
			next, applied := w.Apply(at, a)
			if !ok || !applied || next != inGraph {
				t.Fatalf("action %d fails in %d", a, at)
			}
			at = next
		}
		if at != to {
			t.Fatalf("plan ends in %d, not %d", at, to)
		}
	})
}

func TestPathOutsideTheGraph(t *testing.T) {
	g := explored(t, world(t, "blocksworld"), 0)
	if plan, ok := g.Path(-1, 3); ok {
		t.Errorf("a plan %v from nowhere", plan)
	}
	if _, ok := g.Next(99, 1); ok || len(g.Out(99)) != 0 || len(g.Distances(99)) != 0 {
		t.Error("a state that is not there has successors")
	}
}

func TestQueries(t *testing.T) {
	g := explored(t, world(t, "blocksworld"), 0)
	queries := g.Queries(7, 200, g.States())
	if len(queries) != len(g.Pairs())-1 {
		t.Fatalf("%d distances", len(queries))
	}
	for i, drawn := range queries {
		distinct := map[sim.Query]bool{}
		for _, q := range drawn {
			distinct[q] = true
			if d := g.Distances(q.Start)[q.Goal]; d != i+1 {
				t.Errorf("%v is at distance %d, not %d", q, d, i+1)
			}
		}
		if len(drawn) != 200 || len(distinct) != min(200, len(g.Pairs()[i+1])) {
			t.Errorf("distance %d: %d queries, %d distinct", i+1, len(drawn), len(distinct))
		}
	}
}

// A recording as long as the paper's covers every edge, stays in the graph, and is repeatable.
func TestRunPolicy(t *testing.T) {
	for _, name := range sim.Names() {
		w := world(t, name)
		g := explored(t, w, 1)
		at, made, refused := w.Initial(), 0, 0
		support := map[sim.Edge]int{}
		for step := range g.RunPolicy(sim.Balanced, 1, w.Dataset().Transitions, sim.Faults{}) {
			next, ok := w.Apply(step.State, step.Action)
			if step.State != at || next != step.Next || ok != step.OK || !g.Has(next) {
				t.Fatalf("%s: step %+v from %d, the world says %d %v", name, step, at, next, ok)
			}
			at = next
			if !ok {
				refused++
				continue
			}
			made++
			support[sim.Edge{From: step.State, Action: step.Action, To: step.Next}]++
		}
		least := made
		for _, e := range g.Edges() {
			least = min(least, support[e])
		}
		// Where every action always applies nothing can be refused.
		few, many := made/12, made/7
		if len(g.Edges()) == len(g.States())*w.NumActions() {
			few, many = 0, 0
		}
		t.Logf("%s: %d edges, diameter %d, least support %d", name, len(g.Edges()), len(g.Pairs())-1,
			least)
		if slices.Contains(oneWay, name) {
			least = 8 // no way leads back to some edges
		}
		if made != w.Dataset().Transitions || least < 8 || refused < few || refused > many {
			t.Errorf("%s: %d transitions, the rarest edge %d times, %d refused", name, made, least, refused)
		}
		for _, policy := range sim.Policies() {
			a, _ := sim.RunPolicy(w, policy, 4, 300, sim.Faults{})
			b, _ := sim.RunPolicy(w, policy, 4, 300, sim.Faults{})
			if !slices.Equal(slices.Collect(a), slices.Collect(b)) {
				t.Errorf("%s, %s: two policies of one seed differ", name, policy)
			}
		}
	}
}

// TestBlindWalk: in every state all actions are tried alike, but for those that leave the graph.
func TestUninformedPolicy(t *testing.T) {
	w := world(t, "dinnertablereal")
	g := explored(t, w, 1)
	type attempt struct {
		state  sim.State
		action strips.ActionID
	}
	tried, at := map[attempt]int{}, map[sim.State]int{}
	for step := range g.RunPolicy(sim.Uninformed, 1, 20_000, sim.Faults{}) {
		if next, ok := w.Apply(step.State, step.Action); ok != step.OK || next != step.Next ||
			!g.Has(next) {
			t.Fatalf("step %+v, the world says %d %v", step, next, ok)
		}
		tried[attempt{step.State, step.Action}]++
		at[step.State]++
	}
	for _, s := range g.States() {
		var may []strips.ActionID
		for a := strips.ActionID(1); int(a) <= w.NumActions(); a++ {
			if next, ok := w.Apply(s, a); !ok || g.Has(next) {
				may = append(may, a)
			}
		}
		for _, a := range may {
			n, p := float64(at[s]), 1/float64(len(may))
			if off := float64(tried[attempt{s, a}]) - n*p; math.Abs(off) > 5.5*math.Sqrt(n*p*(1-p)) {
				t.Errorf("state %d: %s was tried %d of %.0f times, expected %.0f", s, w.ActionName(a),
					tried[attempt{s, a}], n, n*p)
			}
		}
	}
}

// A uniform policy takes every action that applies alike, however often it did before.
func TestUniformPolicy(t *testing.T) {
	g := explored(t, world(t, "dinnertablereal"), 1)
	chosen, at := map[sim.Edge]int{}, map[sim.State]int{}
	for step := range g.RunPolicy(sim.Uniform, 1, 100_000, sim.Faults{}) {
		if step.OK {
			chosen[sim.Edge{From: step.State, Action: step.Action, To: step.Next}]++
			at[step.State]++
		}
	}
	for _, e := range g.Edges() {
		n, p := float64(at[e.From]), 1/float64(len(g.Out(e.From)))
		if off := float64(chosen[e]) - n*p; math.Abs(off) > 5*math.Sqrt(n*p*(1-p)) {
			t.Errorf("%+v was chosen %d of %.0f times, expected %.0f", e, chosen[e], n, n*p)
		}
	}
	if _, err := sim.RunPolicy(world(t, "blocksworld"), "random", 1, 10, sim.Faults{}); err == nil {
		t.Error("an unknown policy was accepted")
	}
}
