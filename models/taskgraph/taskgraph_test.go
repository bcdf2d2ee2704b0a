package taskgraph_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/models/taskgraph/graphtest"
)

// door is a door that was opened twice, closed once and once refused to open.
func door() *taskgraph.Graph {
	return graphtest.Of([]string{"open", "close"}, "shut 1 ajar", "ajar 2 shut", "shut 1 ajar",
		"ajar 1")
}

func TestBuilderCounts(t *testing.T) {
	want := &taskgraph.Graph{
		Labels: []string{"open", "close"},
		Nodes:  []taskgraph.Node{{Support: 3, Code: "shut"}, {Support: 4, Code: "ajar"}},
		Edges: []taskgraph.Edge{{Source: 0, Action: 1, Target: 1, Support: 2},
			{Source: 1, Action: 2, Target: 0, Support: 1}},
		Refused: []taskgraph.Refusal{{State: 1, Action: 1, Count: 1}},
	}
	if diff := cmp.Diff(want, door()); diff != "" {
		t.Error(diff)
	}
}

func TestBuilderRefusesUnknownActions(t *testing.T) {
	b := taskgraph.NewBuilder([]string{"open"})
	for _, a := range []strips.ActionID{-1, 0, 2} {
		if err := b.Observe("x", a, "y"); err == nil {
			t.Errorf("observed action %d of 1", a)
		}
		if err := b.Refuse("x", a); err == nil {
			t.Errorf("refused action %d of 1", a)
		}
	}
	if n := b.Graph().NumStates(); n != 0 {
		t.Errorf("%d nodes from refused input", n)
	}
}

func TestNondeterministic(t *testing.T) {
	g := graphtest.Of([]string{"push"}, "a 1 b", "a 1 c", "a 1 b")
	want := []taskgraph.Branch{{Source: 0, Action: 1, Targets: []strips.StateID{1, 2},
		Support: []int{2, 1}}}
	if diff := cmp.Diff(want, g.Nondeterministic()); diff != "" {
		t.Error(diff)
	}
}

func TestPruneDropsAndReports(t *testing.T) {
	g, report := graphtest.Of([]string{"go", "back"}, "a 1 b 3", "b 2 a 3", "noise 2 a",
		"noise 1").Prune(0.5, nil)
	if g.NumStates() != 2 || len(g.Edges) != 2 || len(g.Refused) != 0 {
		t.Errorf("kept %+v", g)
	}
	want := &taskgraph.Pruned{
		Nodes:      []strips.StateID{2},
		Edges:      []taskgraph.Edge{{Source: 2, Action: 2, Target: 0, Support: 1}},
		Refused:    []taskgraph.Refusal{{State: 2, Action: 1, Count: 1}},
		Renumbered: []strips.StateID{0, 1, -1},
	}
	if diff := cmp.Diff(want, report); diff != "" {
		t.Error(diff)
	}
}

// TestPruneDropsNoise adds to a graph of well supported edges what misread
// images and mislabelled transitions add, more edges than there are true ones.
func TestPruneDropsNoise(t *testing.T) {
	labels := []string{"go", "back", "jump"}
	seen := []string{"a 1 b 60", "b 2 a 50",
		"b 1 c 12", "c 2 b 12", // a part seldom visited
		"b 3 a 13"} // another way
	want := graphtest.Of(labels, seen...)
	seen = append(seen, "a 3 b 3") // "go" under another action's id
	for i := range 9 {
		seen = append(seen, fmt.Sprint("a 1 stray", i))
	}
	all := graphtest.Of(labels, seen...)
	got, report := all.Prune(0.1, nil)
	if diff := cmp.Diff(want.Edges, got.Edges); diff != "" || got.NumStates() != 3 ||
		len(report.Nodes) != 9 {
		t.Errorf("%d nodes, dropped %v: %s", got.NumStates(), report.Nodes, diff)
	}
	if kept, _ := all.Prune(0, nil); len(kept.Edges) != len(all.Edges) {
		t.Error("a share of 0 dropped something")
	}
}

// TestMergeKeepsCodes checks that every code of merged nodes still leads to one.
func TestMergeKeepsCodes(t *testing.T) {
	seen := graphtest.Of([]string{"go"}, "a 1 b", "a 1 c", "b 1 d", "c 1 d 2")
	g, renumbered := seen.Merge([][]strips.StateID{{1, 2}})
	codes := g.Codes()
	if len(codes) != 4 || codes["b"] != codes["c"] || codes["b"] != renumbered[1] ||
		g.Nodes[renumbered[1]].Code != "c" {
		t.Errorf("codes %v of nodes %+v", codes, g.Nodes)
	}
	again, _ := g.Merge([][]strips.StateID{{codes["a"], codes["b"]}})
	if len(again.Codes()) != 4 {
		t.Errorf("after a second merge: %+v", again.Nodes)
	}
}

func graphs() *rapid.Generator[*taskgraph.Graph] {
	return rapid.Custom(func(t *rapid.T) *taskgraph.Graph {
		labels := []string{"a", "b b", "c\"\n"}
		b := taskgraph.NewBuilder(labels)
		for range rapid.IntRange(0, 30).Draw(t, "observations") {
			code := rapid.SampledFrom([]string{"0", "1 1", "[2]", "é", ""})
			a := strips.ActionID(rapid.IntRange(1, len(labels)).Draw(t, "action"))
			source := code.Draw(t, "source")
			var err error
			if rapid.Bool().Draw(t, "refused") {
				err = b.Refuse(source, a)
			} else {
				err = b.Observe(source, a, code.Draw(t, "target"))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		g := b.Graph()
		if n := g.NumStates(); n > 1 && rapid.Bool().Draw(t, "merged") {
			g, _ = g.Merge([][]strips.StateID{{0, strips.StateID(n - 1)}})
		}
		return g
	})
}

func ExampleBuilder() {
	b := taskgraph.NewBuilder([]string{"open", "close"})
	_ = b.Observe("shut", 1, "ajar")
	_ = b.Observe("ajar", 2, "shut")
	_ = b.Refuse("ajar", 1)
	_ = b.Graph().WriteDFA(os.Stdout)
	fmt.Println("nondeterministic pairs:", len(b.Graph().Nondeterministic()))
	// Output:
	// dfa 2 -1
	// 2 open close
	// 1 0
	// 1 open 1
	// 1 close 0
	// nondeterministic pairs: 0
}

func TestMergeAddsUp(t *testing.T) {
	seen := graphtest.Of([]string{"go"}, "a 1 b", "a2 1 b 2", "b 1 a", "a2 1")
	got, renumbered := seen.Merge([][]strips.StateID{{2, 0}})
	want := &taskgraph.Graph{
		Labels: []string{"go"},
		Nodes: []taskgraph.Node{{Support: 5, Code: "a2", Aliases: []string{"a"}},
			{Support: 4, Code: "b"}},
		Edges: []taskgraph.Edge{{Source: 0, Action: 1, Target: 1, Support: 3},
			{Source: 1, Action: 1, Target: 0, Support: 1}},
		Refused: []taskgraph.Refusal{{State: 0, Action: 1, Count: 1}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]strips.StateID{0, 1, 0}, renumbered); diff != "" {
		t.Error(diff)
	}
}

func TestRelabelJoinsActions(t *testing.T) {
	want := graphtest.Of([]string{"pick_mug", "place_mug", "pick_fork"}, "a 1 b", "c 3 d", "a 3",
		"d 1", "d 3", "d 2")
	got := want.Relabel(func(label string) string {
		verb, _, _ := strings.Cut(label, "_")
		return verb
	})
	if err := got.Validate(); err != nil {
		t.Fatal(err)
	}
	want.Labels = []string{"pick", "place"}
	want.Edges[1].Action = 1
	want.Refused = []taskgraph.Refusal{{State: 3, Action: 1, Count: 2},
		{State: 3, Action: 2, Count: 1}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
