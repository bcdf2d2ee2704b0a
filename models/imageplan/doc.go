// Package imageplan goes from two pictures to a plan: the online half of the
// method (paper, section 5.3).
//
// The main type is Planner, opened on a bundle. Planner.Recognize classifies a
// picture into a predicate state; Planner.Plan classifies start and goal and
// searches the learned operators for a shortest sequence of action ids:
//
//	p, err := imageplan.Open("runs/demo/bundle", imageplan.Options{})
//	result, err := p.Plan(ctx, start, goal)
//	fmt.Println(result.Plan) // [5 14 3 10]
//
// A picture whose predicates are not those of a state that the model knows is
// not planned from: the result says which predicates are uncertain and which
// known state is nearest. Options.Nearest takes that state instead. Nor is there a
// plan where both pictures show one code that several nodes share.
package imageplan
