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
	one, two, lit := []strips.ActionID{1}, []strips.ActionID{2}, []strips.Predicate{0}
	dark := []strips.Predicate{1}
	return &traces.Model{
		Predicates: []traces.Predicate{
			{Add: one, Del: two},
			{Add: two, Del: one, Members: []traces.Literal{{Negated: true}}},
		},
		Operators: []strips.Operator{
			{Action: 1, PreNeg: lit, Add: lit, Del: dark},
			{Action: 2, PrePos: lit, Add: dark, Del: lit},
			{Action: 3, PrePos: lit},
		},
	}
}

// toggle has action 2 switch the lamp on, too; action 1 is gone.
func toggle(m *traces.Model) {
	two, lit := []strips.ActionID{2}, []strips.Predicate{0}
	m.Predicates = []traces.Predicate{{Add: two, Del: two}}
	m.Operators = []strips.Operator{
		{Action: 2, PreNeg: lit, Add: lit}, {Action: 2, PrePos: lit, Del: lit}, {Action: 3, PrePos: lit},
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
		a := traces.Attempt{Action: strips.ActionID(word[0] - '0'), Outcome: outcome}
		if strings.HasPrefix(word[1:], "+") {
			a.With = strips.ActionID(word[2] - '0')
		}
		segment = append(segment, a)
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
		{name: "both change it", trace: "1 1+2 3 2 2+1 3r 1", explained: 1},
		{name: "one changes it", trace: "1 2+4 1 3"},
		{name: "does not alternate, together", trace: "1 1+4", fault: "has the new value already"},
		{name: "precondition changes, too", trace: "2 1+3 3"},
		{name: "precondition fails, together", trace: "2 3+4", fault: "against 1 preconditions"},
		{name: "to one value", trace: "1+4", fault: "change predicate 0 to one value",
			change: func(m *traces.Model) {
				m.Predicates[0].Add = []strips.ActionID{1, 4}
				m.Operators = append(m.Operators, strips.Operator{Action: 4, Add: []strips.Predicate{0}})
			}},
		{name: "precondition fails", trace: "2 3", fault: "action 3 succeeded against 1 preconditions"},
		{name: "effects differ", fault: "disagree on the effect",
			change: func(m *traces.Model) { m.Operators[0].Add = nil }},
		{name: "a toggle", trace: "3 2 3r 2 3 2 3r", explained: 2, change: toggle},
		{name: "a toggle, unknown", trace: "2 3r", unknown: 1, change: toggle},
		{name: "a toggle against another", trace: "3 2 3", fault: "against 1 preconditions",
			change: toggle},
		{name: "true and false", fault: "true and false",
			change: func(m *traces.Model) { m.Operators[2].PreNeg = m.Operators[2].PrePos }},
		{name: "no such predicate", fault: "predicate 7 of 2",
			change: func(m *traces.Model) { m.Operators[2].PrePos = []strips.Predicate{7} }},
		{name: "member after", fault: "not before it",
			change: func(m *traces.Model) { m.Predicates[1].Members[0].Predicate = 1 }},
		{name: "effect without operator", fault: "no operator",
			change: func(m *traces.Model) { m.Predicates[0].Add = append(m.Predicates[0].Add, 9) }},
		{name: "not the or", trace: "1", fault: "not the or",
			change: func(m *traces.Model) { m.Predicates[1].Members[0].Negated = false }},
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
			first := ""
			if len(faults) > 0 {
				first = faults[0].Error()
			}
			if (c.fault == "") != (first == "") || !strings.Contains(first, c.fault) {
				t.Errorf("faults %v, want %q", faults, c.fault)
			}
			if sum.Explained != c.explained || sum.Unknown != c.unknown ||
				len(sum.Unexplained) != c.unexplained {
				t.Errorf("%+v", sum)
			}
		})
	}
}
