package vision

import (
	"fmt"
	"testing"
)

func TestRoomFor(t *testing.T) {
	for _, c := range []struct{ transitions, dims int }{
		{1, 1}, {15, 1}, {16, 2}, {327, 4}, {328, 5}, {1500, 6}, {3000, 7}, {5000, 7}, {12000, 8},
		{1 << 40, MaxDims},
	} {
		q := roomFor(5, c.transitions)
		if q.Dims != c.dims || q.validate() != nil {
			t.Errorf("%d transitions: %s, want %d dimensions", c.transitions, q, c.dims)
		}
		room := 1
		for range q.Dims {
			room *= 3 // values two levels from each other
		}
		if q.Dims < MaxDims && room < c.transitions/4 {
			t.Errorf("%d transitions: room for %d states in %s", c.transitions, room, q)
		}
	}
}

func ExampleFSQ_Code() {
	q := FSQ{Levels: 5, Dims: 3}
	fmt.Println(q, q.Code([]float32{-1.9, 0.2, 1.4}))
	// Output: [5]^3 023
}
