package explorebench_test

import (
	"context"
	"fmt"

	"stripswm/models/vision"
	"stripswm/nodes/eval/explorebench"
	"stripswm/nodes/learn"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/record"
)

// A simulated robot explores BlocksWorld, and the model is evaluated along the way.
func ExampleExplore() {
	world, err := sim.New("blocksworld")
	if err != nil {
		fmt.Println(err)
		return
	}
	curve, err := explorebench.Explore(context.Background(), world, explorebench.Options{
		Out:            "runs/explored",
		Learner:        learn.Learner{Preset: vision.Small(), Seed: 1, Actions: world.NumActions()},
		Record:         record.Options{Seed: 1, Size: 128, Quality: 90, Nuisance: 1},
		Budget:         300,
		TargetCoverage: 0.95,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("95 % solved after", curve.Attempts(0.95), "attempts:", curve.Reason)
}
