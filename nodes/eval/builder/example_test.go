package builder_test

import (
	"context"
	"fmt"

	"stripswm/models/vision"
	"stripswm/nodes/eval/builder"
	"stripswm/nodes/eval/report"
	"stripswm/nodes/learn"
)

// A bundle is learned, and a report says what was learned.
func ExampleRun() {
	ctx := context.Background()
	learner := learn.Learner{Bag: "runs/bag", Out: "runs/table", Preset: vision.Small(), Seed: 1}
	result, err := learner.Run(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer result.Recording.Close()
	summary := learn.Summarize(learner, result)
	input, err := builder.Run(ctx, learner, result, summary, nil, "stripswm learn --bag runs/bag")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Write("runs/table/report", input))
}
