package inference_test

import (
	"fmt"

	onnx "github.com/gomlx/compute-onnx/support/protos"

	"stripswm/models/inference"
	"stripswm/models/inference/inferencetest"
)

// A network that returns the mean of each channel, on two images of one pixel.
func ExampleNetwork_Run() {
	node := inferencetest.Node("ReduceMean", inference.OutputName, inferencetest.Pixels, "axes")
	nodes := []*onnx.NodeProto{inferencetest.With(node, "keepdims", 0)}
	model, err := inferencetest.Network(1, 3, nodes, inferencetest.Ints("axes", 1, 2))
	if err != nil {
		fmt.Println(err)
		return
	}
	network, err := inference.Open(model, inference.Options{Device: inference.CPU})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer network.Close()
	fmt.Println(network.Run([]uint8{10, 20, 30, 40, 50, 60}))
	// Output: [10 20 30 40 50 60] <nil>
}
