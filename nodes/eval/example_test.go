package eval_test

import (
	"context"
	"fmt"

	"stripswm/models/imageplan"
	"stripswm/nodes/eval"
	"stripswm/nodes/sim"
)

// A bundle is evaluated in the simulated world that it was learned from.
func ExampleRun() {
	world, err := sim.New("blocksworld")
	if err != nil {
		fmt.Println(err)
		return
	}
	planner, err := imageplan.Open("runs/demo/bundle", imageplan.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer planner.Close()
	report, err := eval.Run(context.Background(), planner, world, eval.Options{
		Queries: 200, Images: 20, Seed: 1, Explored: 1, Size: 128, Nuisance: 1, Workers: 2,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, h := range report.Horizons {
		fmt.Println("horizon", h.Horizon, "solved", h.SolvedGraph, "of", h.Queries)
	}
}
