package inference_test

import (
	"strings"
	"testing"

	onnx "github.com/gomlx/compute-onnx/support/protos"

	"stripswm/models/inference"
	"stripswm/models/inference/inferencetest"
)

// TestDynamicsAndNetworksAreNotMixedUp opens each as the other, and codes of
// another length.
func TestDynamicsAndNetworksAreNotMixedUp(t *testing.T) {
	image, err := inferencetest.Network(1, 3, []*onnx.NodeProto{
		inferencetest.With(inferencetest.Node("ReduceMean", inference.OutputName, inferencetest.Pixels,
			"axes"), "keepdims", 0)}, inferencetest.Ints("axes", 1, 2))
	if err != nil {
		t.Fatal(err)
	}
	step, err := inferencetest.Dynamics(2, 3, []*onnx.NodeProto{
		inferencetest.Node("Add", inference.OutputName, inference.CodeName, "steps")},
		inferencetest.Floats("steps", []int64{3, 2}, 1, 0, 0, 1, 0, 0))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := inference.OpenDynamics(image, inference.Options{}); err == nil ||
		!strings.Contains(err.Error(), "not dynamics") {
		t.Errorf("a network opened as dynamics: %v", err)
	}
	if _, err := inference.Open(step, inference.Options{}); err == nil ||
		!strings.Contains(err.Error(), "not a network") {
		t.Errorf("dynamics opened as a network: %v", err)
	}
	d, err := inference.OpenDynamics(step, inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if next, err := d.Successors([]float32{5, 7}); err != nil || len(next) != 6 || next[0] != 6 ||
		next[3] != 8 {
		t.Errorf("successors %v, %v", next, err)
	}
	if _, err := d.Successors([]float32{1}); err == nil {
		t.Error("a code of one number was classified as one of two")
	}
}
