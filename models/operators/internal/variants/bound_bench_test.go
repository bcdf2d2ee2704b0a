package variants

import (
	"testing"

	"stripswm/models/operators/internal/work"
	"stripswm/models/taskgraph/fixtures"
)

// BenchmarkLeast reports the bound, the variants found (0 for none) and the steps it took, of 30
// million:
//
//	go test ./models/operators/internal/variants -run - -bench Least -benchtime 1x
func BenchmarkLeast(b *testing.B) {
	for _, c := range []struct {
		name     string
		g        *Graph
		toggling bool
	}{
		{"blocks", blocks(), false},
		{"blocks_toggles", blocks(), true},
		{"hanoi_3", fixture(fixtures.Hanoi(3)), false},
		{"hanoi_4", fixture(fixtures.Hanoi(4)), false},
		{"tiles_2x2", fixture(fixtures.Tiles(2, 2)), false},
		{"tiles_2x3", fixture(fixtures.Tiles(2, 3)), false},
		{"lights_3x3", fixture(fixtures.LightsOut(3, 3)), true},
		{"key_and_door", fixture(fixtures.KeyDoor()), false},
		{"carrier_3x3", fixture(fixtures.Carrier(3, 3)), false},
		{"sokoban_1", fixture(fixtures.Sokoban(fixtures.OneBox)), false},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				const steps = 30_000_000
				w := work.New(b.Context(), steps)
				bound, found := Least(w, c.g, c.toggling, nil)
				b.ReportMetric(float64(bound), "bound")
				b.ReportMetric(float64(steps-w.Left())/1e6, "Msteps")
				if found != nil {
					b.ReportMetric(float64(found.Variants), "found")
				}
			}
		})
	}
}
