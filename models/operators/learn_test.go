package operators_test

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"stripswm/models/operators"
	"stripswm/models/operators/check"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

func sample(t testing.TB, name string) *taskgraph.Graph {
	t.Helper()
	g, err := taskgraph.ReadFile(filepath.Join("testdata", name+".dfa"))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// learn learns and has the result checked.
func learn(t testing.TB, g *taskgraph.Graph, opt operators.Options) *operators.Result {
	t.Helper()
	r, err := operators.Learn(context.Background(), g, opt)
	if err != nil {
		t.Fatal(err)
	}
	missing, err := opt.Trust.Missing(g)
	if err != nil {
		t.Fatal(err)
	}
	var pairs []check.Pair
	for _, m := range missing {
		pairs = append(pairs, check.Pair{State: m.State, Action: m.Action})
	}
	sum, faults := check.Model(g, pairs, r.Model)
	for _, fault := range faults {
		t.Error(fault)
	}
	got := check.Summary{
		States: r.Report.States, Actions: r.Report.Actions, Operators: len(r.Model.Operators),
		Nondeterministic: len(r.Model.Nondeterministic), Untried: r.Report.Untried,
		SharingNodes: sum.SharingNodes, Edges: r.Report.Edges,
		SeparationConstraints: r.Report.SeparationConstraints, Predicates: r.Report.Predicates,
		Xi: r.Report.Xi, Eta: r.Report.Eta, Effects: r.Report.Effects,
		Preconditions: r.Report.Preconditions, DistinctCodes: r.Report.DistinctCodes,
		FalsePositives: r.Report.FalsePositives,
	}
	if got != sum {
		t.Errorf("the report says %+v, the checker %+v", got, sum)
	}
	return r
}

func TestSampleGraphs(t *testing.T) {
	for name, want := range map[string]struct{ eta, m, effects, preconditions int }{
		"blocksworld":      {0, 6, 36, 50},
		"hanoi_3x3":        {0, 8, 60, 114},
		"gripper_4":        {0, 11, 66, 98},
		"dinner101_s2":     {4, 60, 1000, 1000},
		"dinner101_s3":     {32, 60, 1000, 1000},
		"dinner71_split40": {21, 60, 1000, 1000},
		"arrow_4":          {14, 0, 0, 0},
		"blocks3ops_3":     {14, 0, 0, 0},
		"grid4ops_3x4":     {14, 0, 0, 0},
		"gripper3ops_2x0":  {22, 0, 0, 0},
		"hanoi1op_3x3":     {0, 0, 0, 0},
		"pkgs3ops_2x2x1":   {12, 1, 2, 2},
	} {
		t.Run(name, func(t *testing.T) {
			g := sample(t, name)
			opt := operators.Options{Single: len(g.Nondeterministic()) > 0 || name == "grid4ops_3x4"}
			if want.m > 11 {
				opt.Work = 4
			}
			got := learn(t, g, opt).Report
			if got.Xi != 0 || got.Eta != want.eta || !got.Proved.Xi || !got.Proved.Eta {
				t.Errorf("xi %d, eta %d, proved %+v, want 0 and %d", got.Xi, got.Eta, got.Proved, want.eta)
			}
			if want.m > 11 { // a bound that a good search reaches; the optimum is not known
				if got.Predicates > want.m || got.Bounds.Predicates > got.Predicates ||
					got.Bounds.Effects > got.Effects {
					t.Errorf("%+v, want at most %d predicates, above the bounds", got, want.m)
				}
				return
			}
			if got.Predicates != want.m || got.Effects != want.effects ||
				got.Preconditions != want.preconditions ||
				got.Proved != (operators.Proved{Xi: true, Eta: true, Operators: true, Predicates: true,
					Effects: true, Preconditions: true}) {
				t.Errorf("%+v, want %+v and everything proved", got, want)
			}
		})
	}
}

func TestSameSeedSameBytes(t *testing.T) {
	opt := operators.Options{Seed: 7}
	g := sample(t, "hanoi_3x3")
	first, second := text(t, learn(t, g, opt)), text(t, learn(t, g, opt))
	if first != second {
		t.Error("two runs differ")
	}
}

func text(t *testing.T, r *operators.Result) string {
	t.Helper()
	var out bytes.Buffer
	if err := r.Model.WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestDegenerateGraphs(t *testing.T) {
	one := taskgraph.Node{Support: 1}
	edge := func(s, a, t int) taskgraph.Edge {
		return taskgraph.Edge{Source: strips.StateID(s), Action: strips.ActionID(a),
			Target: strips.StateID(t), Support: 1}
	}
	for name, c := range map[string]struct {
		graph  taskgraph.Graph
		m, eta int
	}{
		"nothing":  {taskgraph.Graph{}, 0, 0},
		"one node": {taskgraph.Graph{Nodes: []taskgraph.Node{one}}, 0, 0},
		"no missing pair": {taskgraph.Graph{Labels: []string{"stay"}, Nodes: []taskgraph.Node{
			one}, Edges: []taskgraph.Edge{edge(0, 1, 0)}}, 0, 0},
		"an action without edges": {taskgraph.Graph{Labels: []string{"never"}, Nodes: []taskgraph.Node{
			one, one}}, 2, 0},
		"a switch": {taskgraph.Graph{Labels: []string{"on", "off"},
			Nodes: []taskgraph.Node{one, one}, Edges: []taskgraph.Edge{edge(0, 1, 1), edge(1, 2, 0)}}, 1, 0},
		"a branching action": {taskgraph.Graph{Labels: []string{"push"}, Nodes: []taskgraph.Node{one, one,
			one},
			Edges: []taskgraph.Edge{edge(0, 1, 1), edge(0, 1, 2)}}, 2, 0},
	} {
		t.Run(name, func(t *testing.T) {
			r := learn(t, &c.graph, operators.Options{})
			if r.Report.Predicates != c.m || r.Report.Eta != c.eta {
				t.Errorf("m = %d, eta = %d, want %d and %d", r.Report.Predicates, r.Report.Eta, c.m, c.eta)
			}
		})
	}
}

func ExampleLearn() {
	b := taskgraph.NewBuilder([]string{"open", "close"})
	_ = b.Observe("shut", 1, "ajar")
	_ = b.Observe("ajar", 2, "shut")
	r, err := operators.Learn(context.Background(), b.Graph(), operators.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("predicates:", r.Report.Predicates, "eta:", r.Report.Eta)
	for _, op := range r.Model.Operators {
		fmt.Println(op.Name, "requires", op.PrePos, "forbids", op.PreNeg, "adds", op.Add, "deletes",
			op.Del)
	}
	// Output:
	// predicates: 1 eta: 0
	// open requires [] forbids [0] adds [0] deletes []
	// close requires [0] forbids [] adds [] deletes [0]
}
