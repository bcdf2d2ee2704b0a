package packed_test

import (
	"math"
	"slices"
	"testing"

	"stripswm/models/internal/packed"
)

func TestValues(t *testing.T) {
	want := []float64{0, -1.5, math.MaxFloat32, math.Inf(1)}
	data := packed.Floats(want)
	if got := packed.Values(append(data, 1, 2)); len(data) != 4*len(want) || !slices.Equal(got, want) {
		t.Errorf("%d bytes, %v", len(data), got)
	}
}
