package paths_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"stripswm/models/internal/paths"
)

// TestPathsAreShortest compares with distances relaxed edge by edge.
func TestPathsAreShortest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "nodes")
		node := rapid.IntRange(0, n-1)
		edges := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) [2]int {
			return [2]int{node.Draw(t, "from"), node.Draw(t, "to")}
		}), 0, 16).Draw(t, "edges")
		from, to := node.Draw(t, "start"), node.Draw(t, "goal")
		distance := make([]int, n)
		for i := range distance {
			distance[i] = n
		}
		distance[from] = 0
		for range n {
			for _, e := range edges {
				distance[e[1]] = min(distance[e[1]], distance[e[0]]+1)
			}
		}
		path, found := paths.Shortest(from, to, func(at int, reach func([2]int, int)) {
			for _, e := range edges {
				if e[0] == at {
					reach(e, e[1])
				}
			}
		})
		if found != (distance[to] < n) || found && len(path) != distance[to] {
			t.Fatalf("%v, %v: the distance is %d", path, found, distance[to])
		}
		at := from
		for _, e := range path {
			if e[0] != at {
				t.Fatalf("%v is broken", path)
			}
			at = e[1]
		}
		if found && at != to {
			t.Fatalf("%v ends in %d, not %d", path, at, to)
		}
	})
}

func ExampleShortest() {
	fmt.Println(paths.Shortest(9, 1, func(n int, reach func(string, int)) {
		if n%2 == 0 {
			reach("half", n/2)
		}
		reach("less", n-1)
	}))
	// Output: [less half half half] true
}
