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
		States:     []strips.Known{{Node: 0, Code: strips.NewState(2)}, {Node: 1, Code: strips.NewState(2, 1)}},
		Exceptions: []strips.Exception{{Node: 0, Action: 1}},
	}
}

func TestPlan(t *testing.T) {
	for _, c := range []struct {
		start, goal strips.State
		plan        []strips.ActionID
		wrong       string
	}{
		{strips.NewState(2, 1), strips.NewState(2, 0, 1), []strips.ActionID{1}, ""},
		{strips.NewState(2, 1), strips.NewState(2, 1), []strips.ActionID{1, 2}, ""},
		{strips.NewState(2, 1), strips.NewState(2, 1), nil, ""},
		{strips.NewState(2, 1), strips.NewState(2, 1), []strips.ActionID{1}, "ends with predicate 0"},
		{strips.NewState(2, 1), strips.NewState(2, 1), []strips.ActionID{1, 1}, "step 2: on forbids"},
		{strips.NewState(2, 0), strips.NewState(2), []strips.ActionID{2}, "step 1: off requires predicate 1"},
		{strips.NewState(2), strips.NewState(2, 0), []strips.ActionID{1}, "known not to apply at node 0"},
		{strips.NewState(2), strips.NewState(2), []strips.ActionID{3}, "outside"},
		{strips.NewState(1), strips.NewState(2), nil, "start has 1"},
	} {
		err := check.Plan(switches(), c.start, c.goal, c.plan)
		if (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%v from %v to %v: %v, want %q", c.plan, c.start, c.goal, err, c.wrong)
		}
	}
}

func ExamplePlan() {
	fmt.Println(check.Plan(switches(), strips.NewState(2, 1), strips.NewState(2, 0, 1), []strips.ActionID{1}))
	fmt.Println(check.Plan(switches(), strips.NewState(2), strips.NewState(2, 0), []strips.ActionID{1}))
	// Output:
	// <nil>
	// plan: step 1: on is known not to apply at node 0
}
