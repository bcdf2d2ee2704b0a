package spread_test

import (
	"slices"
	"testing"

	"stripswm/internal/spread"
)

func TestEvenly(t *testing.T) {
	items := []int{0, 1, 2, 3, 4, 5, 6}
	for n, want := range map[int][]int{0: {}, 1: {0}, 3: {0, 2, 4}, 7: items, 9: items} {
		if got := spread.Evenly(items, n); !slices.Equal(got, want) {
			t.Errorf("%d: %v, want %v", n, got, want)
		}
	}
}
