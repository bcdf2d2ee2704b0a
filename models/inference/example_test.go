package inference_test

import (
	"fmt"

	"stripswm/models/inference"
	"stripswm/models/inference/inferencetest"
)

// A network that returns the mean of each channel, on two images of one pixel.
func ExampleNetwork_Run() {
	model := inferencetest.OfMeans(1, 3, nil)
	network, err := inference.Open(model, inference.Options{Device: inference.CPU})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer network.Close()
	fmt.Println(network.Run([]uint8{10, 20, 30, 40, 50, 60}))
	// Output: [10 20 30 40 50 60] <nil>
}
