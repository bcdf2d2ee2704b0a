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
// One gate decides whether a picture is planned from, for all that ask: its predicates
// have to be those of a state that the model knows, with certainty; the encoder, which
// was trained on something else, has to take it for the same state; and it has to
// look like the pictures recorded of that. A Refusal says what is missing, and the result
// which predicates are uncertain and which known state is nearest. Options.Nearest
// takes that state instead. Nor is there a
// plan where both pictures show one code that several nodes share.
package imageplan
