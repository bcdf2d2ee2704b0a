package check_test

import (
	"fmt"
	"strings"
	"testing"

	"stripswm/models/planner/check"
	"stripswm/models/strips"
)

// switches has two actions: 1 turns predicate 0 on, 2 turns it off and needs
// predicate 1.
func switches() *strips.Model {
	p := func(p ...strips.Predicate) []strips.Predicate { return p }
	return &strips.Model{
		Predicates: 2,
		Operators: []strips.Operator{
			{Action: 1, Name: "on", PreNeg: p(0), Add: p(0)},
			{Action: 2, Name: "off", PrePos: p(0, 1), Del: p(0)},
		},
		States: []strips.Known{{Node: 0, Code: strips.NewState(2)},
			{Node: 1, Code: strips.NewState(2, 1)}},
		Exceptions: []strips.Exception{{Node: 0, Action: 1}},
	}
}

func ExamplePath() {
	off, on := strips.NewState(2, 1), strips.NewState(2, 0, 1)
	flick := []strips.ActionID{1}
	fmt.Println(check.Path(switches(), off, strips.GoalOf(on), flick, []strips.State{off, on}))
	fmt.Println(check.Path(switches(), strips.NewState(2), nil, flick,
		[]strips.State{strips.NewState(2), strips.NewState(2, 0)}))
	// Output:
	// [] <nil>
	// [] plan: step 1: on is known not to apply at node 0
}

// mover can step from cell 0 to 1 (predicate 0) and back by one action, and throw
// a switch (predicate 1) that may stick when it is off.
func mover() *strips.Model {
	p := func(p ...strips.Predicate) []strips.Predicate { return p }
	return &strips.Model{
		Predicates: 2,
		Operators: []strips.Operator{
			{Action: 1, Name: "step", PreNeg: p(0), Add: p(0)},
			{Action: 1, Name: "step", PrePos: p(0), Del: p(0)},
			{Action: 2, Name: "throw", Toggle: p(1)},
		},
		States: []strips.Known{{Node: 0, Code: strips.NewState(2)},
			{Node: 1, Code: strips.NewState(2, 0)},
			{Node: 2, Code: strips.NewState(2, 1)}, {Node: 3, Code: strips.NewState(2, 0, 1)}},
		Nondeterministic: []strips.Nondeterminism{
			{Node: 0, Action: 2, Outcomes: []strips.Outcome{{Target: 0, Count: 1}, {Target: 2, Count: 3}}}},
	}
}

func TestPath(t *testing.T) {
	off, on, there := strips.NewState(2), strips.NewState(2, 1), strips.NewState(2, 0)
	both := strips.NewState(2, 0, 1)
	type states = []strips.State
	for _, c := range []struct {
		plan    []strips.ActionID
		states  states
		corrupt func(*strips.Model)
		left    int // steps nondeterministic
		wrong   string
	}{
		{nil, states{off}, nil, 0, ""},
		{[]strips.ActionID{1, 1}, states{off, there, off}, nil, 0, ""},
		{[]strips.ActionID{1, 2, 1, 2}, states{off, there, both, on, off}, nil, 0, ""},
		{[]strips.ActionID{2}, states{off, on}, nil, 1, ""},
		{[]strips.ActionID{2, 2}, states{off, off, on}, nil, 2, ""},
		{[]strips.ActionID{2}, states{off, there}, nil, 0, "not seen to lead to 10"},
		{[]strips.ActionID{2}, states{off, on}, func(m *strips.Model) {
			m.Exceptions = []strips.Exception{
				{Node: 0, Action: 2}}
		}, 0, "known not to apply"},
		{[]strips.ActionID{2}, states{off, on}, func(m *strips.Model) {
			m.Exceptions = []strips.Exception{
				{Node: 0, Action: 2, Shared: true}}
		}, 1, ""},
		{[]strips.ActionID{1, 1}, states{off, there, off}, func(m *strips.Model) {
			m.Untried = []strips.Untried{{Node: 1, Action: 1}}
		}, 1, ""},
		{[]strips.ActionID{1, 1}, states{off, there, both}, func(m *strips.Model) {
			m.Untried = []strips.Untried{{Node: 1, Action: 1}}
		}, 0, "step 2: predicate 0 becomes false, not true"},
		{[]strips.ActionID{1, 2}, states{off, there, there}, nil, 0,
			"step 2: predicate 1 becomes true, not false"},
		{[]strips.ActionID{1}, states{off, there}, func(m *strips.Model) { m.Operators[1].PrePos = nil },
			0, "disagree about predicate 0"},
		{[]strips.ActionID{1}, states{off, there}, func(m *strips.Model) {
			m.Operators[0].PrePos = []strips.Predicate{1}
		}, 0, "requires predicate 0"},
		{[]strips.ActionID{1}, states{off}, nil, 0, "1 actions and 1 states"},
		{[]strips.ActionID{1, 1}, states{off, strips.NewState(3), off}, nil, 0, "3 predicates"},
		{[]strips.ActionID{1, 1}, states{off, there, off}, func(m *strips.Model) {
			m.Operators[1].PrePos, m.Operators[1].PreNeg = nil, []strips.Predicate{0}
			m.Operators[1].Add, m.Operators[1].Del = []strips.Predicate{0}, nil
		}, 0, "step 2: step forbids"},
		{[]strips.ActionID{3}, states{off, off}, nil, 0, "outside"},
	} {
		m := mover()
		if c.corrupt != nil {
			c.corrupt(m)
		}
		goal := strips.GoalOf(c.states[len(c.states)-1])
		left, err := check.Path(m, c.states[0], goal, c.plan, c.states)
		if (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) ||
			len(left) != c.left {
			t.Errorf("%v through %v: %v nondeterministic, %v, want %d and %q", c.plan, c.states, left, err,
				c.left, c.wrong)
		}
	}
	for says, err := range map[string]error{
		"start has 1":          second(check.Path(mover(), strips.NewState(1), nil, nil, nil)),
		"begin with the start": second(check.Path(mover(), off, nil, nil, states{on})),
		"ends with predicate 1 false": second(check.Path(mover(), off, strips.GoalOf(on), nil,
			states{off})),
	} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("got %v, want %q", err, says)
		}
	}
}

func second(_ []int, err error) error { return err }
