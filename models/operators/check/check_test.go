package check_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"stripswm/models/operators/check"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

type mask = []strips.Predicate

// door is a graph of a door and a faultless model of it.
func door() (*taskgraph.Graph, *strips.Model) {
	b := taskgraph.NewBuilder([]string{"open", "close"})
	_ = b.Observe("shut", 1, "ajar")
	_ = b.Observe("ajar", 2, "shut")
	return b.Graph(), &strips.Model{
		Predicates: 1,
		Operators: []strips.Operator{
			{Action: 1, Name: "open", PreNeg: mask{0}, Add: mask{0}},
			{Action: 2, Name: "close", PrePos: mask{0}, Del: mask{0}},
		},
		States: []strips.Known{{Node: 0, Code: strips.NewState(1)},
			{Node: 1, Code: strips.NewState(1, 0)}},
	}
}

func TestModel(t *testing.T) {
	for _, c := range []struct {
		name    string
		corrupt func(*strips.Model)
		fault   string
	}{
		{"faultless", func(*strips.Model) {}, ""},
		{"a state is missing", func(m *strips.Model) { m.States = m.States[1:] }, "1 states"},
		{"another name", func(m *strips.Model) { m.Operators[0].Name = "x" }, `want "open"`},
		{"overlapping effects", func(m *strips.Model) { m.Operators[0].Del = mask{0} },
			"both adds and deletes"},
		{"overlapping preconditions", func(m *strips.Model) { m.Operators[0].PrePos = mask{0} },
			"both requires and forbids"},
		{"wrong precondition", func(m *strips.Model) {
			m.Operators[0].PreNeg, m.Operators[0].PrePos = nil,
				mask{0}
		}, "C1: edge (0, open, 1)"},
		{"missing effect", func(m *strips.Model) { m.Operators[0].Add = nil }, "C2: edge (0, open, 1)"},
		{"paid effect", func(m *strips.Model) {
			m.Operators[0].Add, m.Slack = nil, []strips.Slack{{Source: 0, Action: 1, Target: 1}}
		}, ""},
		{"slack in vain", func(m *strips.Model) {
			m.Slack = []strips.Slack{{Source: 0, Action: 1, Target: 1}}
		}, "not needed"},
		{"slack of no edge", func(m *strips.Model) {
			m.Slack = []strips.Slack{{Source: 0, Action: 2, Target: 1}}
		}, "no edge"},
		{"missing precondition", func(m *strips.Model) { m.Operators[1].PrePos = nil },
			"C3: close is applicable in node 0"},
		{"exception for it", func(m *strips.Model) {
			m.Operators[1].PrePos, m.Exceptions = nil, []strips.Exception{{Node: 0, Action: 2}}
		}, ""},
		{"exception wrongly shared", func(m *strips.Model) {
			m.Operators[1].PrePos, m.Exceptions = nil, []strips.Exception{{Node: 0, Action: 2, Shared: true}}
		}, "shared is true, want false"},
		{"exception in vain", func(m *strips.Model) {
			m.Exceptions = []strips.Exception{
				{Node: 0, Action: 2}}
		}, "not needed"},
		{"exception to an edge", func(m *strips.Model) {
			m.Exceptions = []strips.Exception{
				{Node: 0, Action: 1}}
		}, "no trusted missing pair"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, m := door()
			c.corrupt(m)
			wantFault(t, g, m, c.fault)
		})
	}
}

func TestModelOfPairsOutsideTheGraph(t *testing.T) {
	g, m := door()
	for _, pair := range []check.Pair{{State: 2, Action: 1}, {State: -1, Action: 1},
		{State: 0, Action: 0}, {State: 0, Action: 3}} {
		if _, faults := check.Model(g, []check.Pair{pair}, m); len(faults) != 1 {
			t.Errorf("%+v: faults %v", pair, faults)
		}
	}
}

func ExampleModel() {
	g, m := door()
	sum, faults := check.Model(g, check.AllMissing(g), m)
	fmt.Println("eta", sum.Eta, "effects", sum.Effects, "preconditions", sum.Preconditions, "faults",
		faults)
	m.Operators[1].PrePos = nil
	_, faults = check.Model(g, check.AllMissing(g), m)
	fmt.Println(faults[0])
	// Output:
	// eta 0 effects 2 preconditions 2 faults []
	// C3: close is applicable in node 0, where it is trusted not to be
}

// wantFault checks a model that is trusted everywhere for one fault, or for none.
func wantFault(t *testing.T, g *taskgraph.Graph, m *strips.Model, fault string) {
	t.Helper()
	_, faults := check.Model(g, check.AllMissing(g), m)
	if fault == "" && len(faults) > 0 {
		t.Errorf("faults %v", faults)
	}
	if fault != "" &&
		!slices.ContainsFunc(faults, func(err error) bool {
			return strings.Contains(err.Error(),
				fault)
		}) {
		t.Errorf("faults %v, want %q", faults, fault)
	}
}
