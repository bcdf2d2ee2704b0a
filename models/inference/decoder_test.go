package inference_test

import (
	"strings"
	"testing"

	onnx "github.com/gomlx/compute-onnx/support/protos"

	"stripswm/models/inference"
	"stripswm/models/inference/inferencetest"
)

// TestDecodersAreKnown opens other networks as decoders, and a decoder as another network; package
// vision draws with real ones.
func TestDecodersAreKnown(t *testing.T) {
	step, err := inferencetest.Dynamics(2, 3, []*onnx.NodeProto{
		inferencetest.Node("Add", inference.OutputName, inference.CodeName, "steps")},
		inferencetest.Floats("steps", []int64{3, 2}, 1, 0, 0, 1, 0, 0))
	if err != nil {
		t.Fatal(err)
	}
	image, err := inferencetest.Network(1, 3, []*onnx.NodeProto{
		inferencetest.With(inferencetest.Node("ReduceMean", inference.OutputName, inferencetest.Pixels,
			"axes"), "keepdims", 0)}, inferencetest.Ints("axes", 1, 2))
	if err != nil {
		t.Fatal(err)
	}
	for says, model := range map[string][]byte{"want float32 [n, side, side, 3]": step,
		"not a decoder": image, "not an onnx model": []byte("x")} {
		if _, err := inference.OpenDecoder(model, inference.Options{}); err == nil ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
	if _, err := inference.OpenDecoderFile("nowhere.onnx", inference.Options{}); err == nil {
		t.Error("a decoder that is not there is opened")
	}
}
