package baselines

import (
	"testing"

	onnx "github.com/gomlx/compute-onnx/support/protos"

	"stripswm/models/inference"
	"stripswm/models/inference/inferencetest"
)

// colourEncoder is an encoder made by hand for pictures of 4x4 pixels: latent c
// is the mean of channel c, from -1 (dark) to 1 (bright).
func colourEncoder(t testing.TB) *inference.Network {
	t.Helper()
	network, err := inference.Open(colourModel(t), inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return network
}

// colourModel is its ONNX file.
func colourModel(t testing.TB) []byte {
	t.Helper()
	model, err := inferencetest.Network(4, 3, []*onnx.NodeProto{
		inferencetest.With(inferencetest.Node("ReduceMean", "mean", inferencetest.Pixels, "axes"), "keepdims", 0),
		inferencetest.Node("Div", "scaled", "mean", "half"),
		inferencetest.Node("Sub", inference.OutputName, "scaled", "one"),
	}, inferencetest.Ints("axes", 1, 2), inferencetest.Floats("half", nil, 127.5), inferencetest.Floats("one", nil, 1))
	if err != nil {
		t.Fatal(err)
	}
	return model
}
