package vision

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"stripswm/models/dataset"
	"stripswm/models/strips"
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

// intervals is a recording of images numbered as they come: refused attempts with two images
// each, and transitions.
type intervals struct {
	*dataset.Dataset
	t *testing.T
}

func (m intervals) image() int {
	i, err := m.AddImage(make([]uint8, 3))
	if err != nil {
		m.t.Fatal(err)
	}
	return i
}

func (m intervals) refused() intervals {
	m.Refused = append(m.Refused,
		dataset.Transition{Before: m.image(), After: m.image(), Action: 1})
	return m
}

func (m intervals) moved(follows bool) intervals {
	m.Transitions = append(m.Transitions,
		dataset.Transition{Before: m.image(), After: m.image(), Action: strips.ActionID(1),
			Follows: follows})
	return m
}

// TestRefusedImagesOfAnInterval: what lies between two transitions is of the state
// that the one left and the other found, unless somebody changed the scene there.
func TestRefusedImagesOfAnInterval(t *testing.T) {
	m := intervals{dataset.New(1, 1, 0), t}
	m.refused().moved(false). // 0 1, 2 3
					refused().refused().moved(true). // 4 5, 6 7, 8 9
					refused().moved(false).          // 10 11, 12 13: somebody changed the scene
					refused().moved(true).           // 14 15, 16 17: seen to be changed by a cut
					refused()                        // 18 19
	train := &trainer{data: m.Dataset, refused: m.RefusedBetween(), cuts: []int{3}}
	rng := rand.New(rand.NewPCG(1, 1))
	drawn := func(transition, image int) []int {
		all := map[int]bool{}
		for range 200 {
			all[train.sameState(transition, image, rng)] = true
		}
		return slices.Sorted(maps.Keys(all))
	}
	for i, want := range []struct{ before, after []int }{
		{[]int{2}, []int{3, 4, 5, 6, 7}},
		{[]int{4, 5, 6, 7, 8}, []int{9}},
		{[]int{12}, []int{13}},
		{[]int{16}, []int{17}},
	} {
		tr := m.Transitions[i]
		if got := drawn(i, tr.Before); !slices.Equal(got, want.before) {
			t.Errorf("before transition %d it draws %v, want %v", i, got, want.before)
		}
		if got := drawn(i+1, tr.After); !slices.Equal(got, want.after) {
			t.Errorf("after transition %d it draws %v, want %v", i, got, want.after)
		}
	}
}
