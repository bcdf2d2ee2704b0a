package check_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"stripswm/models/operators/check"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/models/taskgraph/graphtest"
)

type mask = []strips.Predicate

// door is a graph of a door and a faultless model of it.
func door() (*taskgraph.Graph, *strips.Model) {
	g := graphtest.Of([]string{"open", "close"}, "shut 1 ajar", "ajar 2 shut")
	return g, &strips.Model{
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
			return strings.Contains(err.Error(), fault)
		}) {
		t.Errorf("faults %v, want %q", faults, fault)
	}
}

// cells is a robot on two cells (predicate 0: right) with a lamp (1): it moves
// there and back by one action, and the switch sticks now and then in the right
// cell while the lamp is on. In the left cell the lamp is never switched.
func cells() (*taskgraph.Graph, *strips.Model) {
	g := graphtest.Of([]string{"move", "switch"}, "00 1 10", "10 1 00", "01 1 11", "11 1 01",
		"10 2 11", "11 2 10 2", "11 2 11")
	return g, &strips.Model{
		Predicates: 2,
		Operators: []strips.Operator{
			{Action: 1, Name: "move", PreNeg: mask{0}, Add: mask{0}},
			{Action: 1, Name: "move", PrePos: mask{0}, Del: mask{0}},
			{Action: 2, Name: "switch", PrePos: mask{0}, Toggle: mask{1}},
		},
		Nondeterministic: []strips.Nondeterminism{
			{Node: 3, Action: 2, Outcomes: []strips.Outcome{{Target: 1, Count: 2}, {Target: 3, Count: 1}}}},
		States: graphtest.States(g),
	}
}

func TestModelWithVariants(t *testing.T) {
	for _, c := range []struct {
		name    string
		corrupt func(*strips.Model)
		fault   string
	}{
		{"faultless", func(*strips.Model) {}, ""},
		{"no operator for an action", func(m *strips.Model) { m.Operators = m.Operators[:2] }, `no operator for action 2 "switch"`},
		{"variants apart", func(m *strips.Model) {
			m.Operators = []strips.Operator{m.Operators[0], m.Operators[2], m.Operators[1]}
		}, "after one of action 2"},
		{"an action too many", func(m *strips.Model) { m.Operators[2].Action = 3 }, "want 1..2"},
		{"toggles and adds", func(m *strips.Model) { m.Operators[2].Add = mask{1} },
			"both toggles and sets predicate 1"},
		{"toggle outside", func(m *strips.Model) { m.Operators[2].Toggle = mask{2} }, "outside 0..1"},
		{"no toggle", func(m *strips.Model) { m.Operators[2].Toggle = nil }, "C2: edge (1, switch, 3)"},
		{"no variant applies", func(m *strips.Model) { m.Operators[1].PrePos = mask{0, 1} },
			"C1: edge (1, move, 0): none of the 2 operators"},
		{"two disagree", func(m *strips.Model) { m.Operators[0].PreNeg = nil },
			"C2: edge (1, move, 0): predicate 0 becomes true"},
		{"two agree", func(m *strips.Model) {
			m.Operators = slices.Insert(m.Operators, 1, strips.Operator{Action: 1, Name: "move",
				PreNeg: mask{0, 1}, Add: mask{0}})
		}, ""},
		{"a variant too wide", func(m *strips.Model) {
			m.Operators = append(m.Operators, strips.Operator{Action: 2, Name: "switch", PreNeg: mask{0, 1}})
		}, "C3: switch is applicable in node 0"},
		{"exception for it", func(m *strips.Model) {
			m.Operators = append(m.Operators, strips.Operator{Action: 2, Name: "switch", PreNeg: mask{0, 1}})
			m.Exceptions = []strips.Exception{{Node: 0, Action: 2}}
		}, ""},
		{"untried in vain", func(m *strips.Model) { m.Untried = []strips.Untried{{Node: 0, Action: 2}} },
			"that switch was not tried in node 0 is listed: true, want false"},
		{"untried though seen", func(m *strips.Model) {
			m.Untried = []strips.Untried{
				{Node: 0, Action: 1}}
		}, "(0, 1) was seen to succeed"},
		{"nondeterministic pair left out", func(m *strips.Model) { m.Nondeterministic = nil },
			"(3, switch) was seen to lead to 2 codes"},
		{"paid for instead", func(m *strips.Model) {
			m.Nondeterministic, m.Slack = nil, []strips.Slack{
				{Source: 3, Action: 2, Target: 3, Predicate: 1}}
		}, ""},
		{"nondeterministic pair and slack", func(m *strips.Model) {
			m.Slack = []strips.Slack{{Source: 3, Action: 2, Target: 3, Predicate: 1}}
		}, "no edge that operators explain"},
		{"nondeterministic pair twice", func(m *strips.Model) {
			m.Nondeterministic = append(m.Nondeterministic, m.Nondeterministic[0])
		}, "listed twice"},
		{"nondeterministic pair with one outcome", func(m *strips.Model) {
			m.Nondeterministic = append(m.Nondeterministic, strips.Nondeterminism{Node: 0, Action: 1,
				Outcomes: []strips.Outcome{{Target: 1, Count: 1}}})
		}, "not seen to lead to several codes"},
		{"nondeterministic pair outside the graph", func(m *strips.Model) {
			m.Nondeterministic = append(m.Nondeterministic, strips.Nondeterminism{Node: 9, Action: 9})
		}, "not seen to lead to several codes"},
		{"another count", func(m *strips.Model) { m.Nondeterministic[0].Outcomes[0].Count = 3 },
			"seen 3 times to lead to node 1, want 2"},
		{"another outcome", func(m *strips.Model) { m.Nondeterministic[0].Outcomes[0].Target = 0 },
			"to lead to node 0, want 0"},
		{"an outcome left out", func(m *strips.Model) {
			m.Nondeterministic[0].Outcomes = m.Nondeterministic[0].Outcomes[:1]
		}, "1 outcomes, want 2"},
		{"an outcome twice", func(m *strips.Model) {
			m.Nondeterministic[0].Outcomes = append(m.Nondeterministic[0].Outcomes,
				m.Nondeterministic[0].Outcomes[0])
		}, "3 outcomes, want 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, m := cells()
			c.corrupt(m)
			wantFault(t, g, m, c.fault)
		})
	}
	g, m := cells()
	sum, _ := check.Model(g, check.AllMissing(g), m)
	if sum.Actions != 2 || sum.Operators != 3 || sum.Effects != 3 || sum.Preconditions != 3 ||
		sum.Nondeterministic != 1 || sum.SharingNodes != 0 || sum.FalsePositives != 0 {
		t.Errorf("summary %+v", sum)
	}
}

// The lamp can be switched everywhere, but nobody did so on the left.
func TestUntried(t *testing.T) {
	g, m := cells()
	m.Operators[2].PrePos = nil
	left := []strips.Untried{{Node: 0, Action: 2}, {Node: 2, Action: 2}}
	for _, c := range []struct {
		missing []check.Pair
		untried []strips.Untried
		faults  int
	}{{nil, left, 0}, {nil, nil, 2}, {nil, left[:1], 1}, {nil, append(left, left[0]), 1},
		{[]check.Pair{{State: 0, Action: 2}}, left[1:], 1}} { // the last is C3
		m.Untried = c.untried
		if sum, faults := check.Model(g, c.missing, m); len(faults) != c.faults {
			t.Errorf("missing %v, untried %v: faults %v, want %d; %+v", c.missing, c.untried, faults,
				c.faults, sum)
		}
	}
}

// An action that leads to several nodes of one code is not nondeterministic for the model.
func TestOutcomesOfOneCode(t *testing.T) {
	g, m := cells()
	m.States[1].Code = m.States[3].Code // the lamp is of no account
	_, faults := check.Model(g, nil, m)
	if !slices.ContainsFunc(faults, func(err error) bool {
		return strings.Contains(err.Error(), "not seen to lead to several codes")
	}) {
		t.Errorf("faults %v", faults)
	}
}

func TestDistinct(t *testing.T) {
	g, m := cells()
	if faults := check.Distinct(m, nil); faults != nil {
		t.Errorf("faults %v", faults)
	}
	m.States[1].Code, m.States[2].Code = m.States[3].Code, m.States[3].Code
	for _, c := range []struct {
		groups [][]strips.StateID
		faults int
	}{{nil, 2}, {[][]strips.StateID{{1, 2, 3}}, 0}, {[][]strips.StateID{{0}, {1, 3}}, 1},
		{[][]strips.StateID{{1}, {2}, {3}}, 2}} {
		if faults := check.Distinct(m, c.groups); len(faults) != c.faults {
			t.Errorf("%v: faults %v, want %d", c.groups, faults, c.faults)
		}
	}
	if sum, _ := check.Model(g, nil, m); sum.SharingNodes != 3 || sum.DistinctCodes != 2 {
		t.Errorf("summary %+v", sum)
	}
}
