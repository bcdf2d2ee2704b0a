package median_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"stripswm/models/internal/median"
)

func TestUpper(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float32Range(-3, 3), 1, 50).Draw(t, "values")
		if rapid.Bool().Draw(t, "few values") {
			for i, v := range values {
				values[i] = float32(int(v))
			}
		}
		sorted := slices.Sorted(slices.Values(values))
		if got, want := median.Upper(slices.Clone(values)), sorted[len(sorted)/2]; got != want {
			t.Errorf("%v: %g, want %g", values, got, want)
		}
	})
}
