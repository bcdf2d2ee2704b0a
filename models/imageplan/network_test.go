package imageplan_test

import (
	onnx "github.com/gomlx/compute-onnx/support/protos"

	"stripswm/models/inference"
	"stripswm/models/inference/inferencetest"
)

// colourNetwork is a classifier made by hand: predicate c is how bright channel
// c of the picture is on average, sigmoid((mean - 127.5) / 8).
func colourNetwork(side int) *inference.Network {
	return must(inference.Open(colourModel(side), inference.Options{}))
}

// colourModel is its ONNX file.
func colourModel(side int) []byte {
	return must(inferencetest.Network(side, 3, []*onnx.NodeProto{
		inferencetest.With(inferencetest.Node("ReduceMean", "mean", inferencetest.Pixels, "axes"), "keepdims", 0),
		inferencetest.Node("Sub", "centred", "mean", "middle"),
		inferencetest.Node("Mul", "logits", "centred", "steepness"),
		inferencetest.Node("Sigmoid", inference.OutputName, "logits"),
	}, inferencetest.Ints("axes", 1, 2), inferencetest.Floats("middle", nil, 127.5), inferencetest.Floats("steepness", nil, 1./8)))
}

// must is for what a test has made itself.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
