package networks

import (
	"slices"
	"testing"
)

// TestFeed asks for steps in order, from a later one as a resumed training does,
// and the same again: each comes with its own inputs, whatever was prepared.
func TestFeed(t *testing.T) {
	f := newFeed(make([]int, 3), make([]int, 3), func(step int, into []int) {
		for i := range into {
			into[i] = 10*step + i
		}
	})
	for _, step := range []int{0, 1, 2, 7, 8, 8, 9, 3} {
		if got, want := f.at(step),
			[]int{10 * step, 10*step + 1, 10*step + 2}; !slices.Equal(got, want) {
			t.Errorf("step %d got the inputs %v", step, got)
		}
	}
	if f.wait() != 4 || f.wait() != -1 {
		t.Error("the work ahead was not waited for once")
	}
}
