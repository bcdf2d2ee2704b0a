package vision

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestPairsAreNeighbours: a batch is one transition and the next, two by two, and
// two epochs show each transition as the first of a pair and as the second.
func TestPairsAreNeighbours(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		batch := 2 * rapid.IntRange(1, 8).Draw(t, "pairs")
		n := batch * rapid.IntRange(1, 10).Draw(t, "batches")
		p := newPairs(n, batch, rapid.Uint64().Draw(t, "seed"))
		first, second := map[int]bool{}, map[int]bool{}
		for step := range 2 * n / batch {
			b := p.at(step)
			if len(b) != batch {
				t.Fatalf("a batch of %d", len(b))
			}
			for i, k := range b[:batch/2] {
				if next := b[batch/2+i]; next != (k+1)%n {
					t.Fatalf("%d is followed by %d", k, next)
				}
				first[k], second[(k+1)%n] = true, true
			}
		}
		if len(first) != n || len(second) != n {
			t.Fatalf("%d of %d transitions came first, %d second", len(first), n, len(second))
		}
	})
}

// TestShortRecordingsFillBatches has fewer transitions than a batch, and an odd
// number of them.
func TestShortRecordingsFillBatches(t *testing.T) {
	p := newPairs(5, 8, 1)
	for step := range 4 {
		b := p.at(step)
		if len(b) != 8 || slices.Min(b) < 0 || slices.Max(b) > 4 {
			t.Errorf("step %d: %v", step, b)
		}
	}
}
