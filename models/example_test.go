package models_test

import (
	"context"
	"fmt"

	"stripswm/models/operators"
	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// A door that is opened, walked through and closed: from transitions between codes to a plan.
func Example() {
	const open, steps, shut = strips.ActionID(1), strips.ActionID(2), strips.ActionID(3)
	seen := taskgraph.NewBuilder([]string{"open", "walk", "shut"})
	for _, t := range []struct {
		before string
		action strips.ActionID
		after  string
	}{
		{"outside, shut", open, "outside, open"},
		{"outside, open", steps, "inside, open"},
		{"inside, open", shut, "inside, shut"},
		{"outside, open", shut, "outside, shut"},
		{"inside, shut", open, "inside, open"},
	} {
		if err := seen.Observe(t.before, t.action, t.after); err != nil {
			panic(err)
		}
	}
	graph := seen.Graph()
	learned, err := operators.Learn(context.Background(), graph, operators.Options{})
	if err != nil {
		panic(err)
	}
	r := learned.Report
	fmt.Println(r.States, "states,", r.Predicates, "predicates, xi", r.Xi, "eta", r.Eta)

	nodes := graph.Codes()
	start, _ := learned.Model.Code(nodes["outside, shut"])
	goal, _ := learned.Model.Code(nodes["inside, shut"])
	p, err := planner.New(learned.Model)
	if err != nil {
		panic(err)
	}
	found, err := p.Find(context.Background(), start, goal, planner.BreadthFirst, planner.Limits{})
	if err != nil {
		panic(err)
	}
	for _, a := range found.Plan {
		fmt.Println(graph.Label(a))
	}
	// Output:
	// 4 states, 2 predicates, xi 0 eta 0
	// open
	// walk
	// shut
}
