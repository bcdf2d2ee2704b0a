package operators_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"stripswm/models/operators"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/models/worlds/fixtures"
)

// observe visits every state of a true graph so often and takes random actions,
// each state under a code that look draws for a sight of it.
func observe(t *testing.T, truth *taskgraph.Graph, visits int, rng *rand.Rand,
	code func(strips.StateID) string,
) *taskgraph.Graph {
	b := taskgraph.NewBuilder(truth.Labels)
	for i := range visits * truth.NumStates() {
		at := strips.StateID(i % truth.NumStates())
		out := truth.Out(at)
		e := out[rng.IntN(len(out))]
		if err := b.Observe(code(at), e.Action, code(e.Target)); err != nil {
			t.Fatal(err)
		}
		if refused := strips.ActionID(1 + rng.IntN(truth.NumActions())); len(truth.Targets(at,
			refused)) == 0 {
			if err := b.Refuse(code(at), refused); err != nil {
				t.Fatal(err)
			}
		}
	}
	return b.Graph()
}

// TestMergeUndoesSplits splits states of a world in up to four nodes each, at
// random from sight to sight: merging gives the true states back, whatever the
// split, and never merges two of them.
func TestMergeUndoesSplits(t *testing.T) {
	for name, draws := range map[string]uint64{"blocksworld": 10, "hanoi_3x3": 10, "dinner101_s2": 1} {
		truth := sample(t, name)
		for seed := range draws {
			rng := rand.New(rand.NewPCG(seed, 1))
			parts := make([]int, truth.NumStates())
			for s := range parts {
				parts[s] = 1 + rng.IntN(4)
			}
			split := observe(t, truth, 300, rng, func(s strips.StateID) string {
				return fmt.Sprintf("%d/%d", s, rng.IntN(parts[s]))
			})
			f, err := operators.Merge(t.Context(), split, nil)
			if err != nil {
				t.Fatal(err)
			}
			if f.Graph.NumStates() != truth.NumStates() || len(f.Graph.Nondeterministic()) != 0 {
				t.Errorf("%s, draw %d: %d nodes of %d states became %d; %v kept distinct",
					name, seed, split.NumStates(), truth.NumStates(), f.Graph.NumStates(), f.Kept)
			}
			pure(t, f.Graph)
			before := split.Codes()
			for code, node := range f.Graph.Codes() {
				if f.Renumbered[before[code]] != node {
					t.Errorf("%s, draw %d: code %s is of node %d but was renumbered to %d", name, seed, code, node,
						f.Renumbered[before[code]])
				}
			}
		}
	}
}

// pure checks that every node's codes are of one true state.
func pure(t *testing.T, g *taskgraph.Graph) {
	t.Helper()
	for s, n := range g.Nodes {
		state, _, _ := strings.Cut(n.Code, "/")
		for _, alias := range n.Aliases {
			if other, _, _ := strings.Cut(alias, "/"); other != state {
				t.Fatalf("node %d merges true states %s and %s", s, state, other)
			}
		}
	}
}

// TestMergeKeepsWhatAWrongEdgeForces gives two true states one code, and once adds
// wrong edges: zero slack then forces true states together that behave
// differently, and they must stay distinct.
func TestMergeKeepsWhatAWrongEdgeForces(t *testing.T) {
	truth := sample(t, "blocksworld")
	for aliased := range truth.NumStates() - 1 {
		rng := rand.New(rand.NewPCG(uint64(aliased), 2))
		g := observe(t, truth, 200, rng, func(s strips.StateID) string {
			if int(s) == aliased {
				s++
			}
			return strconv.Itoa(int(s))
		})
		f, err := operators.Merge(t.Context(), g, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Merged) > 0 {
			t.Errorf("states %d and %d under one code: merged %v", aliased, aliased+1, f.Merged)
		}
	}
	g := observe(t, truth, 200, rand.New(rand.NewPCG(1, 2)), func(s strips.StateID) string {
		return strconv.Itoa(int(s))
	})
	e := g.Edges[0]
	e.Target = (e.Target + 3) % strips.StateID(g.NumStates())
	g.Edges = slices.Insert(g.Edges, 1, e)
	if e.Target < g.Edges[0].Target {
		g.Edges[0], g.Edges[1] = g.Edges[1], g.Edges[0]
	}
	f, err := operators.Merge(t.Context(), g, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Merged) > 0 || len(f.Kept) == 0 {
		t.Errorf("a wrong edge: merged %v, kept %v", f.Merged, f.Kept)
	}
}

func ExampleMerge() {
	b := taskgraph.NewBuilder([]string{"enter", "leave"})
	for i := range 60 {
		kitchen := []string{"kitchen, lit", "kitchen, dark"}[i%2]
		for _, place := range []string{"hall", "garden", "cellar"} {
			_ = b.Observe(place, 1, kitchen)
		}
		_ = b.Observe(kitchen, 2, "hall")
	}
	f, err := operators.Merge(context.Background(), b.Graph(), nil)
	fmt.Println(f.Graph.NumStates(), err)
	for _, m := range f.Merged {
		fmt.Println(m.Nodes, m.Shown[0])
	}
	// Output:
	// 4 <nil>
	// [1 4] action 1 in state 0 led to states 1 (30 times), 4 (30)
}

// corrupt is how a recording of a world differs from the truth.
type corrupt struct {
	name string
	do   corruption
	// split says that states have several codes. most is the share of the superfluous nodes that may
	// be left with 30 attempts an edge.
	split bool
	most  float64
}

// corruptions are what merging may not touch, and what it should undo.
var corruptions = []corrupt{
	{name: "as it is", do: mislabelled(0)},
	{name: "1 % wrong labels", do: mislabelled(0.01)},
	{name: "2 % wrong labels", do: mislabelled(0.02)},
	{name: "5 % wrong labels", do: mislabelled(0.05)},
	{name: "slips, 10 %", do: slipping(0.1)},
	{name: "slips, 30 %", do: slipping(0.3)},
	{name: "two states merged", do: merged},
	{"10 % split in 2", coded(split{share: 0.1, weights: halves, redraw: 1}), true, 0.5},
	{"50 % split in 2", coded(halfSplit), true, 0.2},
	{"all split in 2", coded(split{share: 1, weights: halves, redraw: 1}), true, 0.1},
	{"all split in 3", coded(split{share: 1, weights: []float64{0.4, 0.3, 0.3}, redraw: 1}), true,
		0.2},
	{"50 % split 80/20", coded(split{share: 0.5, weights: []float64{0.8, 0.2}, redraw: 1}), true,
		0.5},
	{"50 %, codes persist", coded(split{share: 0.5, weights: halves, redraw: 0.2}), true, 0.3},
	{"50 %, a lamp", coded(split{share: 0.5, weights: halves, redraw: 0.05, lamp: true}), true, 1},
	{"50 % + merged", then(merged, coded(halfSplit)), true, 1},
	{"50 % + 2 % wrong", then(mislabelled(0.02), coded(halfSplit)), true, 1},
	{"50 % + slips 10 %", then(slipping(0.1), coded(halfSplit)), true, 1},
}

var (
	halves    = []float64{0.5, 0.5}
	halfSplit = split{share: 0.5, weights: halves, redraw: 1}
)

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

// slipping has a share of the actions without effect, each drawn for itself.
func slipping(share float64) corruption {
	return func(_ fixtures.Fixture, w []fixtures.Step, seed uint64) []fixtures.Step {
		rng := rand.New(rand.NewPCG(seed, 77))
		out := append([]fixtures.Step(nil), w...)
		for i, t := range out {
			if t.OK && rng.Float64() < share {
				out[i].After = t.Before
			}
		}
		return out
	}
}

// split gives a share of the states several codes with these weights. An image has the code of
// the last image of its state, or with probability redraw a new one. A lamp gives all states the
// same of their codes, and may be drawn again after each action.
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

// TestMergeWorlds merges what is seen of worlds whose skills do different things in
// different states, as it is and corrupted: states are never merged, and states that
// were split are one again as far as there is evidence.
func TestMergeWorlds(t *testing.T) {
	for _, c := range corruptions {
		for _, n := range []int{10, 30} { // attempts an edge
			var before, states, missing int
			for _, p := range fixtures.All() {
				f := mergingOf(t, p.Graph(c.do(p, p.RunPolicy(len(p.Exact())*n*10/9, 0), 0)...))
				if f.wrong > 0 || !c.split && f.after != f.before {
					t.Errorf("%s, %s, %d attempts an edge: %+v", p.Name, c.name, n, f)
				}
				before, states, missing = before+f.before, states+f.states, missing+f.missing
			}
			if n == 30 && c.split && float64(missing) > c.most*float64(before-states) {
				t.Errorf("%s: %d of %d nodes too many are left", c.name, missing, before-states)
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
