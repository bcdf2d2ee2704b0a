// Package heldout judges a bundle on a recording that it was not learned from, without a
// simulator and without anybody who knows the true states: the recording itself says
// what followed from what.
//
// Its main type is Report. Run has the bundle's planner recognise every picture once and
// then asks of each attempt whether the model foresaw what came of it:
//
//	recording, err := learn.Load(ctx, "runs/second", frame, 0, nil)
//	report, err := heldout.Run(ctx, planner, recording, nil)
//	fmt.Println(report.All.Predicted, "of", report.All.Judged, "transitions")
//
// What counts is known from the pictures alone: two pictures of one moment show one
// state; a skill leads to the state that the operators say; a refused one is one that the
// model refuses. Attempts with a picture that is refused (imageplan.Refusal) are not
// judged, but counted.
package heldout
