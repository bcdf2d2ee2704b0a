package autoencoder_test

import (
	"context"
	"fmt"

	"stripswm/models/baselines/autoencoder"
	"stripswm/models/dataset/datasettest"
	"stripswm/models/networks"
)

// An autoencoder of images of lamps, with LSR's latent space.
func ExampleTrain() {
	data, _ := datasettest.NewLamps(1).Transitions(60)
	settings := autoencoder.Settings{
		Backbone: networks.Isotropic{
			Size: 16, Patch: 4, Dim: 16, Depth: 1, Kernel: 3, Expand: 2, Reduced: 4, Hidden: 16,
		},
		Latent: autoencoder.Continuous{
			Dims: 3, Beta: 0.5, Gamma: 2, BetaSteps: 0.5, Margin: 0.1, MarginSteps: 5,
		},
		Decoder: autoencoder.Decoder{
			Size: 16, Patch: 4, Dim: 16, Depth: 1, Kernel: 3, Expand: 2, Hidden: 32,
		},
		Optimizer: networks.Optimizer{LearningRate: 2e-3, Beta1: 0.9, Beta2: 0.99},
		Batch:     32, Steps: 100,
	}
	learned, err := autoencoder.Train(context.Background(), data, settings,
		autoencoder.Options{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	first, last := learned.History[0], learned.History[len(learned.History)-1]
	fmt.Println("step", last.Step)
	fmt.Println("it improves:", last.Losses["reconstruction"] < first.Losses["reconstruction"])
	// Output:
	// step 100
	// it improves: true
}
