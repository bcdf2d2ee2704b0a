package operators_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stripswm/models/operators"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/models/taskgraph/graphtest"
	"stripswm/models/worlds/fixtures"
)

// withWrongEdge leads edge i to a wrong node and supports all others tenfold.
func withWrongEdge(g *taskgraph.Graph, i int) (*taskgraph.Graph, taskgraph.Edge) {
	b := taskgraph.NewBuilder(g.Labels)
	var wrong taskgraph.Edge
	name := func(s strips.StateID) string { return string(rune('A' + s)) }
	for s := range strips.StateID(g.NumStates()) { // keep the numbering
		_ = b.Refuse(name(s), 1)
	}
	for k, e := range g.Edges {
		n := 10
		if k == i {
			n, e.Target = 1, (e.Target+5)%strips.StateID(g.NumStates())
			wrong = e
		}
		for range n {
			_ = b.Observe(name(e.Source), e.Action, name(e.Target))
		}
	}
	h := b.Graph()
	h.Refused = nil
	return h, wrong
}

// One corrupted successor must be blamed first, and paying for it must bring
// back all that it cost.
func TestSuspectsNameTheCorruptedEdge(t *testing.T) {
	g := sample(t, "blocksworld")
	blamed := 0
	for i := 0; i < len(g.Edges); i += 6 {
		h, wrong := withWrongEdge(g, i)
		suspects, err := operators.Suspects(context.Background(), h, operators.Trust{})
		if err != nil {
			t.Fatal(err)
		}
		if len(suspects) == 0 { // the graph with the wrong edge is as good as another
			if r := learn(t, h, operators.Options{Work: 1}); r.Report.Eta != 0 {
				t.Errorf("edge %d: nobody is suspected for eta = %d", i, r.Report.Eta)
			}
			continue
		}
		blamed++
		if top := suspects[0].Edge; top.Source != wrong.Source || top.Action != wrong.Action ||
			top.Target != wrong.Target {
			t.Errorf("edge %d: suspects %+v, want first %+v", i, suspects[:min(3, len(suspects))], wrong)
		}
		r := learn(t, h, operators.Options{SlackBudget: []taskgraph.Edge{wrong}, Work: 1})
		if r.Report.Eta != 0 || r.Report.Xi == 0 || r.Report.DistinctCodes != 16 {
			t.Errorf("edge %d paid for: %+v, want slack, eta 0 and 16 codes", i, r.Report)
		}
	}
	if blamed < 2 {
		t.Errorf("only %d corrupted edges did harm", blamed)
	}
}

func TestForcedGroupsMergeToTheTrueStates(t *testing.T) {
	g := sample(t, "dinner71_split40")
	groups, err := operators.Forced(context.Background(), g)
	if err != nil {
		t.Fatal(err)
	}
	merged, _ := g.Merge(groups)
	if merged.NumStates() < 71 || merged.NumStates() > 80 {
		t.Errorf("%d nodes after merging, of 111 with 71 true states", merged.NumStates())
	}
	if n := len(merged.Nondeterministic()); n > 0 {
		t.Errorf("%d nondeterministic pairs after merging", n)
	}
	clean, err := operators.Forced(context.Background(), sample(t, "blocksworld"))
	if err != nil || len(clean) > 0 {
		t.Errorf("forced together in a clean graph: %v %v", clean, err)
	}
}

func TestExplain(t *testing.T) {
	g := sample(t, "dinner101_s2")
	m := learn(t, g, operators.Options{Work: 4}).Model
	verdicts := map[operators.Verdict]int{}
	for s := range strips.StateID(g.NumStates()) {
		for a := strips.ActionID(1); int(a) <= g.NumActions(); a++ {
			if s > 3 && !slices.ContainsFunc(m.Exceptions, func(e strips.Exception) bool {
				return e.Node == s && e.Action == a
			}) {
				continue // enough of the ordinary ones
			}
			x, err := operators.Explain(g, m, s, a)
			if err != nil {
				t.Fatal(err)
			}
			verdicts[x.Verdict]++
			if x.Verdict == operators.Excepted && (!x.Inseparable || len(x.Core) == 0) {
				t.Errorf("exception (%d, %d) without a core: %+v", s, a, x)
			}
			if (x.Verdict == operators.RuledOut) != (len(x.Required)+len(x.Excluded) > 0) &&
				x.Verdict != operators.Observed {
				t.Errorf("%+v", x)
			}
		}
	}
	if verdicts[operators.Excepted] != 4 || verdicts[operators.Observed] == 0 ||
		verdicts[operators.RuledOut] == 0 || verdicts[operators.Allowed] != 0 {
		t.Errorf("verdicts %v", verdicts)
	}
	if _, err := operators.Explain(g, m, 101, 1); err == nil {
		t.Error("no error for an unknown node")
	}
	if _, err := operators.Explain(g, &strips.Model{}, 0, 1); err == nil {
		t.Error("no error for another model")
	}
}

// A model of another graph, with as many nodes and actions or not, is refused.
func TestAnotherGraphsModelIsRefused(t *testing.T) {
	g := sample(t, "blocksworld")
	own := learn(t, g, operators.Options{}).Model
	renamed, turned := *g, *g
	renamed.Labels = append([]string{"another"}, g.Labels[1:]...)
	turned.Edges = slices.Clone(g.Edges)
	turned.Edges[0].Target, turned.Edges[1].Target = turned.Edges[1].Target, turned.Edges[0].Target
	for name, other := range map[string]*taskgraph.Graph{"of another size": sample(t, "hanoi_3x3"),
		"with other labels": &renamed, "with other edges": &turned} {
		if _, err := operators.Explain(other, own, 0, 1); err == nil {
			t.Errorf("explain took a graph %s", name)
		}
	}
}

// Every exception must come with a proof, and a proof must stand on its own: with
// the edges of the core alone the pair is inseparable still.
func TestProofsStandAlone(t *testing.T) {
	g := sample(t, "dinner101_s3")
	r := learn(t, g, operators.Options{Work: 4})
	if len(r.Inseparable) != r.Report.Eta {
		t.Fatalf("%d proofs for eta = %d", len(r.Inseparable), r.Report.Eta)
	}
	for _, proof := range r.Inseparable {
		h := *g
		h.Edges = proof.Core
		alone := learn(t, &h, operators.Options{Single: true, Work: 1,
			Trust: operators.Trust{Policy: operators.TrustNodes, Nodes: []strips.StateID{proof.State}}})
		if !slices.ContainsFunc(alone.Inseparable, func(p operators.Proof) bool {
			return p.Missing == proof.Missing
		}) {
			t.Errorf("(%d, %d) can be separated given its core of %d edges", proof.State, proof.Action,
				len(proof.Core))
		}
	}
}

// cells is a robot on two cells (predicate 0: left, 1: right) with a lamp (2): one
// skill moves it there and back, another is the switch, which may stick when the
// robot is right and the lamp is on.
func cells() (*taskgraph.Graph, *strips.Model) {
	g := graphtest.Of([]string{"move", "switch"}, "100 1 010", "010 1 100", "101 1 011 2",
		"011 1 101", "100 2 101", "101 2 100", "010 2 011", "011 2 010 2", "011 2 011")
	p := func(p ...strips.Predicate) []strips.Predicate { return p }
	m := &strips.Model{Predicates: 3, Operators: []strips.Operator{
		{Action: 1, Name: "move", PrePos: p(0), Add: p(1), Del: p(0)},
		{Action: 1, Name: "move", PrePos: p(1), Add: p(0), Del: p(1)},
		{Action: 2, Name: "switch", Toggle: p(2)},
	}, States: graphtest.States(g)}
	stay, off := g.Codes()["011"], g.Codes()["010"]
	m.Nondeterministic = []strips.Nondeterminism{
		{Node: stay, Action: 2, Outcomes: []strips.Outcome{{Target: off, Count: 2},
			{Target: stay, Count: 1}}}}
	return g, m
}

func TestExplainSkill(t *testing.T) {
	g, m := cells()
	p := func(p ...strips.Predicate) []strips.Predicate { return p }
	for a, want := range map[strips.ActionID]*operators.Skill{
		1: {Action: 1, Name: "move", Variants: []operators.Variant{
			{Variant: 1, Sources: []strips.StateID{0, 2}, Seen: 3, Requires: p(0), Adds: p(1),
				Deletes: p(0)},
			{Variant: 2, Sources: []strips.StateID{1, 3}, Seen: 2, Requires: p(1), Adds: p(0),
				Deletes: p(1)},
		}, Distinct: []operators.Distinction{{Variants: [2]int{1, 2}, Predicates: p(0, 1)}}},
		2: {Action: 2, Name: "switch", Nondeterministic: m.Nondeterministic,
			Variants: []operators.Variant{
				{Variant: 1, Sources: []strips.StateID{0, 1, 2}, Seen: 3, Toggles: p(2)}}},
	} {
		got, err := operators.ExplainSkill(g, m, a)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%v %s", err, diff)
		}
	}
	if _, err := operators.ExplainSkill(g, m, 3); err == nil {
		t.Error("no error for an action that is not there")
	}
	m.Nondeterministic = nil // the switch does not stick, says the model
	if _, err := operators.ExplainSkill(g, m, 1); err == nil {
		t.Error("no error for a model that denies an edge")
	}
}

// A skill has a core if it needs several operators, of its own edges.
func TestCoreOfASkill(t *testing.T) {
	for name, g := range map[string]*taskgraph.Graph{"blocks": coarse(sample(t, "blocksworld"), 1),
		"tiles": fixtures.Tiles(2, 2).Graph(), "lamp": fixtures.Lamp().Graph()} {
		m := learn(t, g, operators.Options{Work: 2}).Model
		for a := strips.ActionID(1); int(a) <= g.NumActions(); a++ {
			x, err := operators.ExplainSkill(g, m, a)
			if err != nil || (x.Core == nil) != (len(x.Variants) == 1) {
				t.Fatalf("%s, skill %d with %d operators: core %v, %v", name, a, len(x.Variants), x.Core, err)
			}
			if x.Core == nil {
				continue
			}
			if len(x.Core.Edges) < 2 || x.Core.Nodes[0] == x.Core.Nodes[1] {
				t.Errorf("%s, skill %d: %+v is no reason", name, a, x.Core)
			}
			for _, e := range x.Core.Edges {
				if e.Action != a || !slices.Contains(g.Targets(e.Source, a), e.Target) {
					t.Errorf("%s, skill %d: %+v is no edge of it", name, a, e)
				}
			}
		}
	}
}

func TestExplainVariants(t *testing.T) {
	g, m := cells()
	p := func(p ...strips.Predicate) []strips.Predicate { return p }
	x, err := operators.Explain(g, m, 1, 1)
	want := []operators.VariantVerdict{{Variant: 1, Violated: operators.Violated{Required: p(0)}},
		{Variant: 2, Applies: true}}
	if diff := cmp.Diff(want, x.Variants); err != nil || x.Verdict != operators.Observed ||
		diff != "" {
		t.Errorf("%v, %v: %s", err, x, diff)
	}
	if x, err := operators.Explain(g, m, 3, 2); err != nil ||
		x.Verdict != operators.Nondeterministic || len(x.Odds) != 2 {
		t.Errorf("%v, %v: want nondeterministic", err, x)
	}
	// A node where nobody has moved yet.
	g = graphtest.Of(g.Labels, "110 2 111", "111 2 110", "001 2 000")
	m.States, m.Nondeterministic = graphtest.States(g), nil
	for s, want := range map[strips.StateID]operators.Verdict{0: operators.Unclear,
		2: operators.RuledOut} {
		if x, err := operators.Explain(g, m, s, 1); err != nil || x.Verdict != want {
			t.Errorf("node %d: %v, %v, want %s", s, err, x, want)
		}
	}
	m.Exceptions = []strips.Exception{{Node: 0, Action: 1}}
	if x, err := operators.Explain(g, m, 0, 1); err != nil || x.Verdict != operators.Excepted {
		t.Errorf("%v, %v, want an exception", err, x)
	}
}
