package execute_test

import (
	"context"
	"fmt"

	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/nodes/execute"
)

// A hand moves the object while the first skill runs: the plan is made again.
func ExampleExecutor_Run() {
	w := at(0)
	w.moved = map[int]int{1: 1}
	e := w.executor(execute.DefaultPolicy())
	r, err := e.Run(context.Background(), strips.GoalOf(place(3)), execute.Hooks{
		Planned: func(o execute.Observation, p planner.Result) {
			fmt.Println("at", o.Code, "plan", p.Plan)
		},
		Stepped: func(s execute.Step) {
			fmt.Println("action", s.Action, "differing", s.Differing, "so",
				s.Decision)
		},
	})
	fmt.Println(r.Attempts, "skills,", r.Replans, "new plan,", err)
	// Output:
	// at 1000 plan [7 3]
	// action 7 differing [1 2] so replan
	// at 0100 plan [2 3]
	// action 2 differing [] so advance
	// action 3 differing [] so reached
	// 3 skills, 1 new plan, <nil>
}
