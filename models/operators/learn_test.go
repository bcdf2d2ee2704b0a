package operators_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"stripswm/models/operators"
	"stripswm/models/operators/check"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/models/taskgraph/graphtest"
	"stripswm/models/worlds/fixtures"
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
	if r.Report.Summary != sum {
		t.Errorf("the report says %+v, the checker %+v", r.Report.Summary, sum)
	}
	return r
}

func TestSampleGraphs(t *testing.T) {
	for name, want := range map[string]struct{ eta, m int }{
		"blocksworld": {0, 6}, "hanoi_3x3": {0, 8}, "gripper_4": {0, 11}, "dinner101_s2": {4, 60},
		"dinner101_s3": {32, 60}, "dinner71_split40": {21, 60}, "arrow_4": {14, 0},
		"blocks3ops_3": {14, 0}, "grid4ops_3x4": {14, 0}, "gripper3ops_2x0": {22, 0},
		"hanoi1op_3x3": {0, 0}, "pkgs3ops_2x2x1": {12, 1},
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
				if got.Predicates > want.m || got.Bounds.Predicates > got.Predicates {
					t.Errorf("%+v, want at most %d predicates, above the bound", got, want.m)
				}
				return
			}
			if got.Predicates != want.m || !got.Proved.Predicates {
				t.Errorf("%+v, want %d predicates with proof", got, want.m)
			}
		})
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

func withoutNegatives() operators.Trust { return operators.Trust{Policy: operators.TrustNothing} }

// Without negative evidence the model collapses to two codes and allows every
// action everywhere; asking for as many codes as states does not bring the
// preconditions back (the paper's RQ4).
func TestNegativeEvidenceAblation(t *testing.T) {
	for name, graph := range map[string]*taskgraph.Graph{"blocksworld": sample(t, "blocksworld"),
		"dinner101_s2": sample(t, "dinner101_s2")} {
		t.Run(name, func(t *testing.T) {
			collapsed := learn(t, graph, operators.Options{Trust: withoutNegatives(), Single: true,
				Work: 4}).Report
			if collapsed.DistinctCodes != 2 || collapsed.Preconditions != 0 || collapsed.Eta != 0 ||
				collapsed.Xi != 0 {
				t.Errorf("without negatives: %+v, want 2 codes and no preconditions", collapsed)
			}
			forced := learn(t, graph, operators.Options{Trust: withoutNegatives(),
				MinUnique: graph.NumStates(), Work: 3}).Report
			if forced.DistinctCodes != graph.NumStates() || forced.Preconditions != 0 || forced.Xi != 0 {
				t.Errorf("with %d codes: %+v, want as many codes and no preconditions", graph.NumStates(),
					forced)
			}
		})
	}
}

func TestFixedNumberOfPredicates(t *testing.T) {
	for _, c := range []struct {
		graph          string
		m, least, most int // eta
	}{
		{"blocksworld", 3, 1, 40}, {"blocksworld", 5, 1, 10}, {"blocksworld", 6, 0, 0},
		{"blocksworld", 9, 0, 0}, {"dinner101_s2", 10, 5, 5856},
	} {
		r := learn(t, sample(t, c.graph), operators.Options{Predicates: c.m, Work: 4}).Report
		if r.Predicates != c.m || r.Eta < c.least || r.Eta > c.most || r.Proved.Eta && r.Eta > 0 {
			t.Errorf("%+v: %+v", c, r)
		}
	}
}

func TestDistinctPairs(t *testing.T) {
	g := sample(t, "dinner71_split40") // its split nodes are forced together
	r := learn(t, g, operators.Options{Single: true, Work: 4})
	var pair [2]strips.StateID
	codes := map[strips.State]strips.StateID{}
	for _, k := range r.Model.States {
		if first, seen := codes[k.Code]; seen {
			pair = [2]strips.StateID{first, k.Node}
			break
		}
		codes[k.Code] = k.Node
	}
	if pair[1] == 0 {
		t.Fatal("no two nodes share a code")
	}
	r = learn(t, g, operators.Options{Distinct: operators.Distinct{Pairs: [][2]strips.StateID{pair}},
		Work: 4})
	a, _ := r.Model.Code(pair[0])
	b, _ := r.Model.Code(pair[1])
	if a == b || r.Report.Xi == 0 || r.Report.Bounds.Xi == 0 {
		t.Errorf("nodes %v have codes %v and %v at xi = %d (bound %d)", pair, a, b, r.Report.Xi,
			r.Report.Bounds.Xi)
	}
}

func TestRefusesOptions(t *testing.T) {
	for name, opt := range map[string]operators.Options{
		"negative m":          {Predicates: -1},
		"too many codes":      {MinUnique: 17},
		"negative codes":      {MinUnique: -1},
		"negative budget":     {Budget: -1},
		"negative work":       {Work: -1},
		"paying for no edge":  {SlackBudget: []taskgraph.Edge{{Source: 0, Action: 1, Target: 99}}},
		"negative visits":     {Trust: operators.Trust{Policy: operators.TrustVisited, Visits: -1}},
		"suspicion above one": {Trust: operators.Trust{Policy: operators.TrustVisited, Suspicion: 2}},
		"unknown node":        {Distinct: operators.Distinct{Pairs: [][2]strips.StateID{{0, 16}}}},
		"a node and itself":   {Distinct: operators.Distinct{Pairs: [][2]strips.StateID{{3, 3}}}},
		"too few predicates":  {Predicates: 2, Distinct: operators.Distinct{All: true}},
		"unknown trust":       {Trust: operators.Trust{Policy: "some"}},
		"untrusted node": {Trust: operators.Trust{Policy: operators.TrustNodes,
			Nodes: []strips.StateID{99}}},
	} {
		if _, err := operators.Learn(context.Background(), sample(t, "blocksworld"), opt); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestTrustPolicies(t *testing.T) {
	g := graphtest.Of([]string{"go", "back"}, "a 1 b 20", "b 2 a 20",
		"b 1 c", // c was never left, b seldom by go
		"c 1",
		"a 1") // contradicted by the edge
	for text, want := range map[string][]operators.Missing{
		"all":         {{State: 0, Action: 2}, {State: 2, Action: 1, Refused: 1}, {State: 2, Action: 2}},
		"none":        nil,
		"attempts":    {{State: 2, Action: 1, Refused: 1}},
		"nodes:0":     {{State: 0, Action: 2}, {State: 2, Action: 1, Refused: 1}},
		"visited:2":   {{State: 0, Action: 2}, {State: 2, Action: 1, Refused: 1}},
		"visited:99":  {{State: 2, Action: 1, Refused: 1}},
		"visited:0:1": {{State: 0, Action: 2}, {State: 2, Action: 1, Refused: 1}, {State: 2, Action: 2}},
	} {
		trust, err := operators.ParseTrust(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := trust.Missing(g)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	for _, text := range []string{"", "some", "all:3", "visited", "visited:x", "visited:1:2", "nodes:",
		"nodes:1,x"} {
		if _, err := operators.ParseTrust(text); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

func TestDefaultTrust(t *testing.T) {
	for want, graphs := range map[operators.Policy][][]string{
		operators.TrustAll:     {{"a 1 b"}},                     // no counts
		operators.TrustVisited: {{"a 1 b", "a 2"}, {"a 1 b 2"}}, // a refusal, or counts
	} {
		for _, seen := range graphs {
			g := graphtest.Of([]string{"go", "back"}, seen...)
			if got := operators.DefaultTrust(g).Policy; got != want {
				t.Errorf("%q: %q, want %q", seen, got, want)
			}
		}
	}
}

// Whatever the graph and the trust, the model must satisfy the checker.
func TestEveryModelSatisfiesTheChecker(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := graphtest.Noisy(10, 4, 25).Draw(rt, "graph")
		for range rapid.IntRange(0, 5).Draw(rt, "refusals") {
			s, a := rapid.IntRange(0, g.NumStates()-1).Draw(rt, "state"), rapid.IntRange(1, 4).Draw(rt,
				"action")
			if !slices.ContainsFunc(g.Refused, func(r taskgraph.Refusal) bool {
				return int(r.State) == s &&
					int(r.Action) == a
			}) {
				g.Refused = append(g.Refused, taskgraph.Refusal{State: strips.StateID(s),
					Action: strips.ActionID(a), Count: 1})
			}
		}
		slices.SortFunc(g.Refused, func(x, y taskgraph.Refusal) int {
			return cmp.Or(cmp.Compare(x.State, y.State), cmp.Compare(x.Action, y.Action))
		})
		trust, err := operators.ParseTrust(rapid.SampledFrom([]string{"all", "none", "attempts",
			"visited:2", "nodes:0"}).Draw(rt, "trust"))
		if err != nil {
			rt.Fatal(err)
		}
		opt := operators.Options{Trust: trust, Predicates: rapid.IntRange(0, 4).Draw(rt, "m"),
			Single: rapid.Bool().Draw(rt, "single"), Work: 1}
		if len(g.Edges) > 0 && rapid.Bool().Draw(rt, "pay") {
			opt.SlackBudget = g.Edges[:1]
		}
		r := learn(t, g, opt)
		b := r.Report.Bounds
		if b.Xi > r.Report.Xi || b.Eta > r.Report.Eta || b.Predicates > r.Report.Predicates {
			rt.Fatalf("a bound is above its figure: %+v", r.Report)
		}
		if t.Failed() {
			rt.Fatalf("%+v %+v", g, opt)
		}
	})
}

func TestStopsAtOnceAndStaysCorrect(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	g := sample(t, "dinner101_s2")
	r, err := operators.Learn(ctx, g, operators.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, faults := check.Model(g, check.AllMissing(g), r.Model); len(faults) > 0 {
		t.Error(faults[0])
	}
	if r.Report.Proved.Eta || r.Report.Proved.Predicates {
		t.Errorf("proved without time: %+v", r.Report)
	}
}

// The whole DinnerTable has 445,200 separation constraints.
func TestLearnsTheWholeDinnerTable(t *testing.T) {
	r := learn(t, fixtures.Table(5, 7).Graph(), operators.Options{Work: 1})
	if s := r.Report; s.Eta != 0 || s.SeparationConstraints != 445200 || s.DistinctCodes != 6720 ||
		!s.Proved.Eta {
		t.Errorf("%+v", s)
	}
}
