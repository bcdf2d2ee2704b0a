package operators_test

import (
	"flag"
	"math/rand/v2"
	"strings"
	"testing"

	"stripswm/models/operators"
	"stripswm/models/taskgraph"
	"stripswm/models/taskgraph/fixtures"
)

var all = flag.Bool("all", false,
	"merge every world, from 3 to 100 attempts an edge, three seeds each")

// corrupt is how a recording of a world differs from the truth.
type corrupt struct {
	name string
	do   func(p fixtures.Fixture, attempts []fixtures.Step, seed uint64) []fixtures.Step
	// split says that states have several codes, and most is the share of the nodes too
	// many that may be left with 30 attempts an edge.
	split bool
	most  float64
}

// The corrupts: what merging may not touch, and what it should undo.
var corruptions = []corrupt{
	{name: "as it is", do: func(_ fixtures.Fixture, w []fixtures.Step,
		_ uint64) []fixtures.Step {
		return w
	}},
	{name: "1 % wrong labels", do: mislabelled(0.01)},
	{name: "2 % wrong labels", do: mislabelled(0.02)},
	{name: "5 % wrong labels", do: mislabelled(0.05)},
	{name: "slips, 10 %", do: slipping(0.1)},
	{name: "slips, 30 %", do: slipping(0.3)},
	{name: "two states merged", do: merged},
	{name: "10 % split in 2", do: coded(split{share: 0.1, weights: []float64{0.5, 0.5}, redraw: 1}),
		split: true, most: 0.5},
	{name: "50 % split in 2", do: coded(split{share: 0.5, weights: []float64{0.5, 0.5}, redraw: 1}),
		split: true, most: 0.2},
	{name: "all split in 2", do: coded(split{share: 1, weights: []float64{0.5, 0.5}, redraw: 1}),
		split: true, most: 0.1},
	{name: "all split in 3", do: coded(split{share: 1, weights: []float64{0.4, 0.3, 0.3}, redraw: 1}),
		split: true, most: 0.2},
	{name: "50 % split 80/20", do: coded(split{share: 0.5, weights: []float64{0.8, 0.2}, redraw: 1}),
		split: true, most: 0.5},
	{name: "50 %, codes persist", do: coded(split{share: 0.5, weights: []float64{0.5, 0.5},
		redraw: 0.2}), split: true, most: 0.3},
	{name: "50 %, a lamp", do: coded(split{share: 0.5, weights: []float64{0.5, 0.5}, redraw: 0.05,
		lamp: true}), split: true, most: 1},
	{name: "50 % + merged",
		do: then(merged, coded(split{share: 0.5, weights: []float64{0.5, 0.5}, redraw: 1})), split: true,
		most: 1},
	{name: "50 % + 2 % wrong", do: then(mislabelled(0.02),
		coded(split{share: 0.5, weights: []float64{0.5, 0.5}, redraw: 1})), split: true, most: 1},
	{name: "50 % + slips 10 %",
		do:    then(slipping(0.1), coded(split{share: 0.5, weights: []float64{0.5, 0.5}, redraw: 1})),
		split: true, most: 1},
}

type corruption = func(fixtures.Fixture, []fixtures.Step, uint64) []fixtures.Step

func then(first, second corruption) corruption {
	return func(p fixtures.Fixture, w []fixtures.Step, seed uint64) []fixtures.Step {
		return second(p, first(p, w, seed), seed)
	}
}

func merged(_ fixtures.Fixture, w []fixtures.Step, seed uint64) []fixtures.Step {
	out, _ := fixtures.Merge(w, seed)
	return out
}

func mislabelled(share float64) corruption {
	return func(p fixtures.Fixture, w []fixtures.Step, seed uint64) []fixtures.Step {
		return p.Mislabel(w, share, seed)
	}
}

// slipping has actions without effect, each with a nondeterministic outcome of its own.
func slipping(outcome float64) corruption {
	return func(_ fixtures.Fixture, w []fixtures.Step, seed uint64) []fixtures.Step {
		rng := rand.New(rand.NewPCG(seed, 77))
		out := append([]fixtures.Step(nil), w...)
		for i, t := range out {
			if t.OK && rng.Float64() < outcome {
				out[i].After = t.Before
			}
		}
		return out
	}
}

// split gives a share of the states codes, of so much weight each. An image's code is that of the
// image of the state before it, drawn again with that nondeterministic outcome; a lamp is the same
// for all states, and is drawn after each action.
type split struct {
	share   float64
	weights []float64
	redraw  float64
	lamp    bool
}

func coded(s split) corruption {
	return func(_ fixtures.Fixture, w []fixtures.Step, seed uint64) []fixtures.Step {
		rng := rand.New(rand.NewPCG(seed, 78))
		draw := func() int {
			x := rng.Float64()
			for k, weight := range s.weights {
				if x -= weight; x < 0 {
					return k
				}
			}
			return len(s.weights) - 1
		}
		several, now, lamp := map[string]bool{}, map[string]int{}, draw()
		code := func(state string) string {
			if _, known := several[state]; !known {
				several[state], now[state] = rng.Float64() < s.share, draw()
			}
			if s.lamp {
				now[state] = lamp
			} else if rng.Float64() < s.redraw {
				now[state] = draw()
			}
			if !several[state] {
				return state
			}
			return state + strings.Repeat(fixtures.Half, now[state])
		}
		out := append([]fixtures.Step(nil), w...)
		for i, t := range out {
			out[i].Before = code(t.Before)
			if rng.Float64() < s.redraw {
				lamp = draw()
			}
			out[i].After = code(t.After)
		}
		return out
	}
}

// merging counts what Merge did to a graph: nodes before and after, states that
// there are, states that were put together with another, and nodes too many.
type merging struct{ before, after, states, wrong, missing int }

func mergingOf(t *testing.T, g *taskgraph.Graph) merging {
	f, err := operators.Merge(t.Context(), g, nil)
	if err != nil {
		t.Fatal(err)
	}
	state := func(code string) string { return strings.TrimRight(code, fixtures.Half) }
	out := merging{before: g.NumStates(), after: f.Graph.NumStates()}
	nodes := map[string]int{}
	for _, n := range f.Graph.Nodes {
		here := map[string]bool{state(n.Code): true}
		for _, alias := range n.Aliases {
			here[state(alias)] = true
		}
		out.wrong += len(here) - 1
		for s := range here {
			nodes[s]++
		}
	}
	for _, n := range nodes {
		out.states++
		out.missing += n - 1
	}
	return out
}

// TestMergeTable merges what is seen of worlds whose skills do different things in
// different states, as it is and corrupted: states are never merged, and states that
// were split are one again as far as there is evidence. With -v it prints the table,
// with -all the whole one.
func TestMergeTable(t *testing.T) {
	worlds, attempts, seeds := fixtures.All(), []int{10, 30}, uint64(1)
	if *all {
		worlds = append(worlds, fixtures.Hanoi(4), fixtures.Tiles(2, 3), fixtures.LightsOut(3, 3))
		attempts, seeds = []int{3, 10, 30, 100}, 3
	}
	t.Logf("%-20s %8s %7s %7s %7s %6s %8s", "recording", "attempts", "nodes", "states", "after",
		"wrong", "too many")
	for _, s := range corruptions {
		for _, n := range attempts {
			var sum merging
			for _, p := range worlds {
				edges := len(p.Exact())
				for seed := range seeds {
					f := mergingOf(t, p.Graph(s.do(p, p.RunPolicy(edges*n*10/9, seed), seed)...))
					if f.wrong > 0 && n >= 10 || !s.split && f.after != f.before {
						t.Errorf("%s, %s, %d attempts an edge, seed %d: %+v", p.Name, s.name, n, seed, f)
					}
					sum = merging{sum.before + f.before, sum.after + f.after, sum.states + f.states,
						sum.wrong + f.wrong, sum.missing + f.missing}
				}
			}
			t.Logf("%-20s %8d %7d %7d %7d %6d %8d", s.name, n, sum.before, sum.states, sum.after, sum.wrong,
				sum.missing)
			if n == 30 && s.split && float64(sum.missing) > s.most*float64(sum.before-sum.states) {
				t.Errorf("%s: %d of %d nodes too many are left", s.name, sum.missing, sum.before-sum.states)
			}
		}
	}
}

// TestMergedPairsDoNotSpread gives many a pair of states one code: nothing is merged,
// and the actions that then have two outcomes are reported.
func TestMergedPairsDoNotSpread(t *testing.T) {
	for _, p := range fixtures.All() {
		attempts := p.RunPolicy(len(p.Exact())*30, 1)
		for seed := range uint64(10) {
			corrupted, pair := fixtures.Merge(attempts, seed)
			g := p.Graph(corrupted...)
			f, err := operators.Merge(t.Context(), g, nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(f.Merged) > 0 || len(f.Graph.Nondeterministic()) != len(g.Nondeterministic()) {
				t.Errorf("%s, %v under one code: merged %v", p.Name, pair, f.Merged)
			}
		}
	}
}

// TestMergeSamples: right graphs stay as they are, also those whose actions have
// several outcomes in fact. Of the over-split one all nodes are merged that an action
// leads to from one state; four states have a node with no such way.
func TestMergeSamples(t *testing.T) {
	for name, want := range map[string]int{
		"arrow_4": 8, "blocks3ops_3": 13, "blocksworld": 16, "dinner101_s2": 101, "dinner101_s3": 101,
		"grid4ops_3x4":    12,
		"gripper3ops_2x0": 28, "gripper_4": 256, "hanoi1op_3x3": 27, "hanoi_3x3": 27,
		"pkgs3ops_2x2x1": 20, "dinner71_split40": 75,
	} {
		g := sample(t, name)
		f, err := operators.Merge(t.Context(), g, nil)
		if err != nil {
			t.Fatal(err)
		}
		if f.Graph.NumStates() != want {
			t.Errorf("%s: %d nodes became %d, want %d", name, g.NumStates(), f.Graph.NumStates(), want)
		}
		if name == "dinner71_split40" && (len(f.Graph.Nondeterministic()) > 0 || len(f.Merged) != 36 ||
			len(f.Merged[0].Shown) == 0) {
			t.Errorf("%s: merged %v", name, f.Merged)
		}
	}
}
