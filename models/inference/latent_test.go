package inference_test

import (
	"errors"
	"strings"
	"testing"

	onnx "github.com/gomlx/compute-onnx/support/protos"

	"stripswm/models/inference"
	"stripswm/models/inference/inferencetest"
)

// TestNetworksAreNotMixedUp opens networks, dynamics and decoders as one another, and has dynamics
// tell the successors of codes. Package autoencoder draws with real decoders.
func TestNetworksAreNotMixedUp(t *testing.T) {
	image := inferencetest.OfMeans(1, 3, nil)
	step := inferencetest.Dynamics(2, 3, []*onnx.NodeProto{
		inferencetest.Node("Add", inference.OutputName, inference.CodeName, "steps")},
		inferencetest.Floats("steps", []int64{3, 2}, 1, 0, 0, 1, 0, 0))
	o := inference.Options{}
	dynamics := func(m []byte) error { _, err := inference.OpenDynamics(m, o); return err }
	network := func(m []byte) error { _, err := inference.Open(m, o); return err }
	decoder := func(m []byte) error { _, err := inference.OpenDecoder(m, o); return err }
	for says, err := range map[string]error{
		"not dynamics": dynamics(image), "not a network": network(step),
		"not a decoder": decoder(image), "want float32 [n, side, side, 3]": decoder(step),
		"not an onnx model": decoder([]byte("x")),
	} {
		if !errors.Is(err, inference.ErrNetwork) || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
	d, err := inference.OpenDynamics(step, o)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if next, err := d.Successors([]float32{5, 7}); err != nil || len(next) != 6 || next[0] != 6 ||
		next[3] != 8 {
		t.Errorf("successors %v, %v", next, err)
	}
	if _, err := d.Successors([]float32{1}); err == nil {
		t.Error("a code of one number was taken as one of two")
	}
}
