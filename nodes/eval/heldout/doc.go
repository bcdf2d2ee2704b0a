// Package heldout tests a bundle on a recording that it was not learned from. It needs no simulator
// and no true states: the order of the recording says which state follows which.
//
// The main type is [Report]. [Run] recognizes every image once with the bundle's planner, and then
// compares each attempt with the model's prediction:
//
//	planner, recording --Run--> Report
//
//	recording, err := learn.Load(ctx, "runs/second", frame, 0, nil)
//	report, err := heldout.Run(ctx, planner, recording, nil)
//	fmt.Println(report.All.Predicted, "of", report.All.Evaluated, "transitions")
//
// The tests follow from the recording alone:
//   - All images of one static interval show one state.
//   - A skill that succeeded leads to the state that the operators predict.
//   - A skill that was refused is one that the model does not allow.
//
// Attempts with an image that is refused (imageplan.Refusal) are counted and not tested.
package heldout
