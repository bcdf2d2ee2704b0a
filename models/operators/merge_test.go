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
