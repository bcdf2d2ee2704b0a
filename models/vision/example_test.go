package vision_test

import (
	"context"
	"fmt"

	"stripswm/models/dataset/datasettest"
	"stripswm/models/networks"
	"stripswm/models/vision"
)

// A world model of two lamps, which are on or off: four states.
func ExampleTrainWorldModel() {
	data, _ := datasettest.NewLamps(1).Transitions(600)
	p := vision.Small()
	p.Backbone = networks.Isotropic{
		Size: 16, Patch: 4, Dim: 16, Depth: 1, Kernel: 3, Expand: 2, Reduced: 4, Hidden: 16,
	}
	p.FSQ = vision.FSQ{Levels: 5, Dims: 3}
	p.Hidden, p.Batch = 32, 32
	p.WorldModel.Steps, p.WorldModel.Evaluate, p.WorldModel.Warmup = 300, 50, 20
	learned, err := vision.TrainWorldModel(context.Background(), data, p, vision.Options{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	encoder, err := learned.Export()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(learned.Chosen.Codes, "codes, nondeterminism", learned.Chosen.Nondeterministic)
	fmt.Println("an ONNX network:", len(encoder) > 0)
	// Output:
	// 4 codes, nondeterminism 0
	// an ONNX network: true
}
