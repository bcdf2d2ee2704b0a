// Package imageplan plans from a start image to a goal image: the online half of the method (paper,
// section 5.3).
//
// The main type is [Planner], opened on a bundle:
//
//	image --classifier--> predicates --recognition check--> state --planner--> plan
//
//	p, err := imageplan.Open("runs/demo/bundle", imageplan.Options{})
//	result, err := p.Plan(ctx, start, goal)
//	fmt.Println(result.Plan) // action ids
//
// Planner.Recognize classifies an image. Planner.Plan recognizes start and goal, and searches the
// learned operators for a shortest plan. One recognition check decides for all programs whether an
// image is accepted. It accepts an image if
//   - the image has contrast,
//   - its predicates are those of a state that the model knows,
//   - the encoder, which was trained with other losses, classifies it as the same state,
//   - it looks like the recorded images of this state (appearance.Model),
//   - each predicate is certain enough.
//
// A [Refusal] says which of these failed. The [Recognition] says which predicates are uncertain,
// and which known state is nearest. With Options.Nearest the planner uses the nearest state
// instead. There is no plan if both images show one code that several nodes share (aliased states).
package imageplan
