package operators_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stripswm/models/operators"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// cells is a robot on two cells (predicate 0: left, 1: right) with a lamp (2): one
// skill moves it there and back, another is the switch, which may stick when the
// robot is right and the lamp is on.
func cells(t *testing.T) (*taskgraph.Graph, *strips.Model) {
	t.Helper()
	b := taskgraph.NewBuilder([]string{"move", "switch"})
	for _, o := range []struct {
		from   string
		action strips.ActionID
		to     string
	}{
		{"100", 1, "010"}, {"010", 1, "100"}, {"101", 1, "011"}, {"011", 1, "101"}, {"101", 1, "011"},
		{"100", 2, "101"}, {"101", 2, "100"}, {"010", 2, "011"}, {"011", 2, "010"}, {"011", 2, "011"},
		{"011", 2, "010"},
	} {
		if err := b.Observe(o.from, o.action, o.to); err != nil {
			t.Fatal(err)
		}
	}
	g := b.Graph()
	p := func(p ...strips.Predicate) []strips.Predicate { return p }
	m := &strips.Model{Predicates: 3, Operators: []strips.Operator{
		{Action: 1, Name: "move", PrePos: p(0), Add: p(1), Del: p(0)},
		{Action: 1, Name: "move", PrePos: p(1), Add: p(0), Del: p(1)},
		{Action: 2, Name: "switch", Toggle: p(2)},
	}}
	node := map[string]strips.StateID{}
	for s, n := range g.Nodes {
		code, err := strips.ParseState(n.Code)
		if err != nil {
			t.Fatal(err)
		}
		node[n.Code] = strips.StateID(s)
		m.States = append(m.States, strips.Known{Node: strips.StateID(s), Code: code})
	}
	stay, off := node["011"], node["010"]
	m.Nondeterministic = []strips.Nondeterminism{
		{Node: stay, Action: 2, Outcomes: []strips.Outcome{{Target: off, Count: 2},
			{Target: stay, Count: 1}}}}
	return g, m
}

func TestExplainSkill(t *testing.T) {
	g, m := cells(t)
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

func TestExplainVariants(t *testing.T) {
	g, m := cells(t)
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
	b := taskgraph.NewBuilder([]string{"move", "switch"})
	for _, code := range []string{"110", "111", "001"} {
		if err := b.Observe(code, 2, code[:2]+string('0'+'1'-code[2])); err != nil {
			t.Fatal(err)
		}
	}
	g, m.States, m.Nondeterministic = b.Graph(), nil, nil
	for s, n := range g.Nodes {
		code, err := strips.ParseState(n.Code)
		if err != nil {
			t.Fatal(err)
		}
		m.States = append(m.States, strips.Known{Node: strips.StateID(s), Code: code})
	}
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

// Where variants disagree nobody knows what a trial would come to; where they do
// not, the prediction is that of the one that applies.
func TestFrontierOfVariants(t *testing.T) {
	g, m := cells(t)
	g.Edges = g.Edges[1:] // nobody moved from the first node
	m.Exceptions = []strips.Exception{{Node: 0, Action: 1}}
	trials, err := operators.Frontier(context.Background(), g, operators.Trust{}, m)
	want := []operators.Trial{{State: 0, Action: 1, Predicted: []strips.StateID{1}, Gain: 1}}
	if diff := cmp.Diff(want, trials); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	m.Operators[1].PrePos = nil
	m.Operators[1].PreNeg = []strips.Predicate{1}
	m.Operators[1].Add, m.Operators[1].Del = nil, nil
	g.Edges, m.Nondeterministic = nil, nil
	if trials, err = operators.Frontier(context.Background(), g, operators.Trust{}, m); err != nil ||
		len(trials) != 1 || trials[0].Predicted != nil {
		t.Errorf("%v %v", trials, err)
	}
}
