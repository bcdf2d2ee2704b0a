package heldout_test

import (
	"context"
	"fmt"

	"stripswm/models/imageplan"
	"stripswm/nodes/eval/heldout"
	"stripswm/nodes/learn"
)

// A bundle is tested on a second recording of the same table.
func ExampleRun() {
	ctx := context.Background()
	planner, err := imageplan.Open("runs/table/bundle", imageplan.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer planner.Close()
	frame, err := learn.FrameOf(planner.Bundle())
	if err != nil {
		fmt.Println(err)
		return
	}
	recording, err := learn.Load(ctx, "runs/second", frame, planner.Model().Actions(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer recording.Close()
	report, err := heldout.Run(ctx, planner, recording, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.All.Predicted, "of", report.All.Evaluated, "transitions were predicted")
}
