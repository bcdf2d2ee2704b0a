package inferencetest_test

import (
	"fmt"

	onnx "github.com/gomlx/compute-onnx/support/protos"

	"stripswm/models/inference"
	"stripswm/models/inference/inferencetest"
)

// ExampleNetwork takes an image to the mean of each channel.
func ExampleNetwork() {
	mean := inferencetest.With(inferencetest.Node("ReduceMean", inference.OutputName,
		inferencetest.Pixels, "axes"), "keepdims", 0)
	model, err := inferencetest.Network(1, 3, []*onnx.NodeProto{mean}, inferencetest.Ints("axes", 1,
		2))
	if err != nil {
		fmt.Println(err)
		return
	}
	network, err := inference.Open(model, inference.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer network.Close()
	fmt.Println(network.Run([]uint8{10, 20, 30}))
	// Output: [10 20 30] <nil>
}
