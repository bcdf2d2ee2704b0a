package imageplan_test

import (
	"testing"

	onnx "github.com/gomlx/compute-onnx/support/protos"

	"stripswm/models/inference"
	"stripswm/models/inference/handmade"
)

// colourNetwork is a classifier made by hand: predicate c is how bright channel
// c of the picture is on average, sigmoid((mean - 127.5) / 8).
func colourNetwork(t testing.TB, side int) *inference.Network {
	t.Helper()
	network, err := inference.Open(colourModel(t, side), inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return network
}

// colourModel is its ONNX file.
func colourModel(t testing.TB, side int) []byte {
	t.Helper()
	model, err := handmade.Network(side, 3, []*onnx.NodeProto{
		handmade.With(handmade.Node("ReduceMean", "mean", handmade.Pixels, "axes"), "keepdims", 0),
		handmade.Node("Sub", "centred", "mean", "middle"),
		handmade.Node("Mul", "logits", "centred", "steepness"),
		handmade.Node("Sigmoid", inference.OutputName, "logits"),
	}, handmade.Ints("axes", 1, 2), handmade.Floats("middle", nil, 127.5), handmade.Floats("steepness", nil, 1./8))
	if err != nil {
		t.Fatal(err)
	}
	return model
}
