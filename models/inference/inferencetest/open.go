package inferencetest

import (
	"testing"

	"stripswm/models/inference"
)

// Open opens an exported network until the test ends.
func Open(t testing.TB, model []byte) *inference.Network {
	t.Helper()
	network, err := inference.Open(model, inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { network.Close() })
	return network
}
