package variants

import (
	"testing"

	"stripswm/models/operators/internal/work"
	"stripswm/models/taskgraph/fixtures"
)

// TestMoreStepsNeverMoreVariants: what a search does next does not depend on the steps that are
// left.
func TestMoreStepsNeverMoreVariants(t *testing.T) {
	for name, g := range map[string]*Graph{
		"blocks":       blocks(),
		"tiles":        of(fixtures.Tiles(2, 2)),
		"key and door": of(fixtures.KeyDoor()),
		"hanoi":        of(fixtures.Hanoi(3)),
	} {
		t.Run(name, func(t *testing.T) {
			var counts []int
			for thousands := int64(0); thousands <= 2_400; thousands += 200 {
				f, toggling := Find(work.New(t.Context(), 1000*thousands), g, 1)
				if bad := wrong(g, f, toggling); bad != "" {
					t.Fatalf("%d thousand steps: %s", thousands, bad)
				}
				if counts = append(counts, f.Variants); counts[0] != len(g.Edges) {
					t.Fatalf("%d variants without a step, want one for each of %d edges", counts[0], len(g.Edges))
				}
			}
			for i := range counts[1:] {
				if counts[i+1] > counts[i] {
					t.Fatalf("variants by steps: %v", counts)
				}
			}
			t.Log(counts)
			if 2*counts[len(counts)-1] > counts[0] {
				t.Errorf("variants by steps: %v, want less than half of the first at last", counts)
			}
		})
	}
}
