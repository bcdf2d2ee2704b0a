package baselines_test

import (
	"fmt"

	"stripswm/models/baselines"
)

func ExampleAll() {
	for _, b := range baselines.All() {
		fmt.Println(b.ID, b.Name)
	}
	// Output:
	// ama3 LatPlan-AMA3
	// graph-search graph search
	// lsr LSR
	// wm-bfs WM-BFS
	// wm-rollout WM-Rollout
}

func ExampleLearnerOf() {
	l, err := baselines.LearnerOf("lsr")
	fmt.Println(l.ID, l.Side, err)
	// Output: lsr 64 <nil>
}
