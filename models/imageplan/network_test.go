package imageplan_test

import (
	onnx "github.com/gomlx/compute-onnx/support/protos"

	"stripswm/models/inference"
	"stripswm/models/inference/inferencetest"
)

// colourNetwork is a classifier made by hand: predicate c is how bright channel
// c of the image is on average, sigmoid((mean - 127.5) / 8).
func colourNetwork(side int) *inference.Network {
	network, err := inference.Open(colourModel(side), inference.Options{})
	if err != nil {
		panic(err)
	}
	return network
}

// colourModel is its ONNX file.
func colourModel(side int) []byte {
	model, err := inferencetest.Network(side, 3, []*onnx.NodeProto{
		inferencetest.With(inferencetest.Node("ReduceMean", "mean", inferencetest.Pixels, "axes"),
			"keepdims", 0),
		inferencetest.Node("Sub", "centred", "mean", "middle"),
		inferencetest.Node("Mul", "logits", "centred", "steepness"),
		inferencetest.Node("Sigmoid", inference.OutputName, "logits"),
	}, inferencetest.Ints("axes", 1, 2), inferencetest.Floats("middle", nil,
		127.5), inferencetest.Floats("steepness", nil, 1./8))
	if err != nil {
		panic(err)
	}
	return model
}
