package inorder_test

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"stripswm/nodes/inorder"
)

// TestOrder gives jobs of any length to any number of workers.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		naps := rapid.SliceOfN(rapid.IntRange(0, 300), 0, 40).Draw(t, "microseconds")
		workers := rapid.IntRange(-1, 6).Draw(t, "workers")
		var running, most atomic.Int32
		work := func(nap int) int {
			n := running.Add(1)
			defer running.Add(-1)
			for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
			}
			time.Sleep(time.Duration(nap) * time.Microsecond)
			return nap
		}
		got := slices.Collect(inorder.Map(context.Background(), slices.Values(naps), workers, work))
		if !slices.Equal(got, naps) && len(naps) > 0 {
			t.Fatalf("%v came back as %v", naps, got)
		}
		if int(most.Load()) > max(workers, 1) {
			t.Fatalf("%d jobs at once on %d workers", most.Load(), workers)
		}
	})
}

// endless is a stream of jobs without an end, which counts those taken.
func endless(taken *atomic.Int32) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := 0; yield(i); i++ {
			taken.Add(1)
		}
	}
}

func TestReaderStops(t *testing.T) {
	var taken atomic.Int32
	for i := range inorder.Map(t.Context(), endless(&taken), 3, func(i int) int { return i }) {
		if i == 10 {
			break
		}
	}
	if n := taken.Load(); n > 10+5*3+2 {
		t.Errorf("%d jobs were taken for 11 results", n)
	}
}

func TestContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var taken atomic.Int32
	n := 0
	for i := range inorder.Map(ctx, endless(&taken), 2, func(i int) int { return i }) {
		if n++; i == 5 {
			cancel()
		}
	}
	if n != 6 {
		t.Errorf("%d results, want the 6 until the end of the context", n)
	}
}

func ExampleMap() {
	square := func(i int) int { return i * i }
	for s := range inorder.Map(context.Background(), slices.Values([]int{3, 1, 2}), 2, square) {
		fmt.Println(s)
	}
	// Output:
	// 9
	// 1
	// 4
}
