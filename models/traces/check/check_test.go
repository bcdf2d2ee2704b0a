package check_test

import (
	"strings"
	"testing"

	"stripswm/models/strips"
	"stripswm/models/traces"
	"stripswm/models/traces/check"
)

// A lamp is switched on by action 1 and off by action 2; action 3 succeeds while it is on.
func lamp() *traces.Model {
	return &traces.Model{
		Predicates: []traces.Predicate{
			{Add: []strips.ActionID{1}, Del: []strips.ActionID{2}},
			{Add: []strips.ActionID{2}, Del: []strips.ActionID{1}, Members: []traces.Literal{{Predicate: 0, Negated: true}}},
		},
		Operators: []strips.Operator{
			{Action: 1, PreNeg: []strips.Predicate{0}, Add: []strips.Predicate{0}, Del: []strips.Predicate{1}},
			{Action: 2, PrePos: []strips.Predicate{0}, Add: []strips.Predicate{1}, Del: []strips.Predicate{0}},
			{Action: 3, PrePos: []strips.Predicate{0}},
		},
	}
}

func attempts(text string) (segment []traces.Attempt) {
	for word := range strings.FieldsSeq(text) {
		outcome := traces.Succeeded
		switch word[1:] {
		case "r":
			outcome = traces.Refused
		case "f":
			outcome = traces.Failed
		}
		segment = append(segment, traces.Attempt{Action: strips.ActionID(word[0] - '0'), Outcome: outcome})
	}
	return segment
}

func TestModel(t *testing.T) {
	for _, c := range []struct {
		name, trace, fault string
		change             func(*traces.Model)
		explained          int
		unknown            int
		unexplained        int
	}{
		{name: "all agree", trace: "1 3 2 3r 1 3 1r", explained: 2},
		{name: "unknown", trace: "3r", unknown: 1},
		{name: "unexplained", trace: "1 3r", unexplained: 1},
		{name: "refused, of no operator", trace: "4r", unexplained: 1},
		{name: "a failure cuts", trace: "1 1f 1 3"},
		{name: "does not alternate", trace: "1 1", fault: "has the new value already"},
		{name: "precondition fails", trace: "2 3", fault: "action 3 succeeded against 1 preconditions"},
		{name: "effects differ", change: func(m *traces.Model) { m.Operators[0].Add = nil }, fault: "disagree on the effect"},
		{name: "two operators", change: func(m *traces.Model) { m.Operators[1].Action = 1 }, fault: "has two operators"},
		{name: "true and false", change: func(m *traces.Model) { m.Operators[2].PreNeg = m.Operators[2].PrePos }, fault: "true and false"},
		{name: "no such predicate", change: func(m *traces.Model) { m.Operators[2].PrePos = []strips.Predicate{7} }, fault: "predicate 7 of 2"},
		{name: "member after", change: func(m *traces.Model) { m.Predicates[1].Members[0].Predicate = 1 }, fault: "not before it"},
		{name: "effect without operator", change: func(m *traces.Model) { m.Predicates[0].Add = append(m.Predicates[0].Add, 9) }, fault: "no operator"},
		{name: "not the or", trace: "1", change: func(m *traces.Model) { m.Predicates[1].Members[0].Negated = false }, fault: "not the or"},
		{name: "two members", trace: "1 2", fault: "2 members", change: func(m *traces.Model) {
			m.Predicates[1].Members = append(m.Predicates[1].Members, m.Predicates[1].Members[0])
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := lamp()
			if c.change != nil {
				c.change(m)
			}
			sum, faults := check.Model([][]traces.Attempt{attempts(c.trace), nil}, m)
			if c.fault == "" && len(faults) > 0 || c.fault != "" && (len(faults) == 0 || !strings.Contains(faults[0].Error(), c.fault)) {
				t.Errorf("faults %v, want %q", faults, c.fault)
			}
			if sum.Explained != c.explained || sum.Unknown != c.unknown || len(sum.Unexplained) != c.unexplained {
				t.Errorf("%+v", sum)
			}
		})
	}
}
