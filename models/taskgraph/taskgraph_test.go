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
)

// door is a door that was opened twice, closed once and once refused to open.
func door(t testing.TB) *taskgraph.Graph {
	b := taskgraph.NewBuilder([]string{"open", "close"})
	for _, err := range []error{
		b.Observe("shut", 1, "ajar"),
		b.Observe("ajar", 2, "shut"),
		b.Observe("shut", 1, "ajar"),
		b.Refuse("ajar", 1),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return b.Graph()
}

func TestBuilderCounts(t *testing.T) {
	want := &taskgraph.Graph{
		Labels: []string{"open", "close"},
		Nodes:  []taskgraph.Node{{Support: 3, Code: "shut"}, {Support: 4, Code: "ajar"}},
		Edges: []taskgraph.Edge{{Source: 0, Action: 1, Target: 1, Support: 2},
			{Source: 1, Action: 2, Target: 0, Support: 1}},
		Refused: []taskgraph.Refusal{{State: 1, Action: 1, Count: 1}},
	}
	if diff := cmp.Diff(want, door(t)); diff != "" {
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
	b := taskgraph.NewBuilder([]string{"push"})
	for _, target := range []string{"b", "c", "b"} {
		if err := b.Observe("a", 1, target); err != nil {
			t.Fatal(err)
		}
	}
	want := []taskgraph.Branch{{Source: 0, Action: 1, Targets: []strips.StateID{1, 2},
		Support: []int{2, 1}}}
	if diff := cmp.Diff(want, b.Graph().Nondeterministic()); diff != "" {
		t.Error(diff)
	}
}

func TestPruneDropsAndReports(t *testing.T) {
	b := taskgraph.NewBuilder([]string{"go", "back"})
	for range 3 {
		_ = b.Observe("a", 1, "b")
		_ = b.Observe("b", 2, "a")
	}
	_ = b.Observe("noise", 2, "a")
	_ = b.Refuse("noise", 1)
	g, report := b.Graph().Prune(0.5, nil)
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
	b := taskgraph.NewBuilder([]string{"go", "back", "jump"})
	see := func(times int, source string, a strips.ActionID, target string) {
		for range times {
			if err := b.Observe(source, a, target); err != nil {
				t.Fatal(err)
			}
		}
	}
	see(60, "a", 1, "b")
	see(50, "b", 2, "a")
	see(12, "b", 1, "c") // a part seldom visited
	see(12, "c", 2, "b")
	see(13, "b", 3, "a") // another way
	want := b.Graph()
	see(3, "a", 3, "b") // "go" under another action's id
	for i := range 9 {
		see(1, "a", 1, fmt.Sprintf("stray %d", i))
	}
	got, report := b.Graph().Prune(0.1, nil)
	if diff := cmp.Diff(want.Edges, got.Edges); diff != "" || got.NumStates() != 3 ||
		len(report.Nodes) != 9 {
		t.Errorf("%d nodes, dropped %v: %s", got.NumStates(), report.Nodes, diff)
	}
	if all, _ := b.Graph().Prune(0, nil); len(all.Edges) != len(b.Graph().Edges) {
		t.Error("a share of 0 dropped something")
	}
}

// TestMergeKeepsCodes checks that every code of merged nodes still leads to one.
func TestMergeKeepsCodes(t *testing.T) {
	b := taskgraph.NewBuilder([]string{"go"})
	for _, step := range [][2]string{{"a", "b"}, {"a", "c"}, {"b", "d"}, {"c", "d"}, {"c", "d"}} {
		if err := b.Observe(step[0], 1, step[1]); err != nil {
			t.Fatal(err)
		}
	}
	g, renumbered := b.Graph().Merge([][]strips.StateID{{1, 2}})
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
	b := taskgraph.NewBuilder([]string{"go"})
	for _, path := range [][2]string{{"a", "b"}, {"a2", "b"}, {"a2", "b"}, {"b", "a"}} {
		if err := b.Observe(path[0], 1, path[1]); err != nil {
			t.Fatal(err)
		}
	}
	_ = b.Refuse("a2", 1)
	got, renumbered := b.Graph().Merge([][]strips.StateID{{2, 0}})
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
	b := taskgraph.NewBuilder([]string{"pick_mug", "place_mug", "pick_fork"})
	for _, err := range []error{b.Observe("a", 1, "b"), b.Observe("c", 3, "d"), b.Refuse("a", 3),
		b.Refuse("d", 1), b.Refuse("d", 3), b.Refuse("d", 2)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	got := b.Graph().Relabel(func(label string) string {
		verb, _,
			_ := strings.Cut(label, "_")
		return verb
	})
	if err := got.Validate(); err != nil {
		t.Fatal(err)
	}
	want := b.Graph()
	want.Labels = []string{"pick", "place"}
	want.Edges[1].Action = 1
	want.Refused = []taskgraph.Refusal{{State: 3, Action: 1, Count: 2},
		{State: 3, Action: 2, Count: 1}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
