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
	return inferencetest.OfMeans(side, 3, []*onnx.NodeProto{
		inferencetest.Node("Sub", "centred", inferencetest.Mean, "middle"),
		inferencetest.Node("Mul", "logits", "centred", "steepness"),
		inferencetest.Node("Sigmoid", inference.OutputName, "logits"),
	}, inferencetest.Floats("middle", nil, 127.5), inferencetest.Floats("steepness", nil, 1./8))
}
