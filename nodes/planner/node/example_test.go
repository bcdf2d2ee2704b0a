package node_test

import (
	"context"
	"fmt"
	"testing"

	"stripswm/models/imageplan"
	"stripswm/nodes/ros"
)

// A planner and a robot on one bus: the planner brings the table to what an image shows.
func ExamplePlanner() {
	r, p, close := connect()
	defer close()
	r.film()
	if err := p.Start(context.Background()); err != nil {
		fmt.Println(err)
		return
	}
	result, status := r.do(r.goal(r.distant(2)), nil)
	fmt.Println(status == ros.GoalSucceeded, len(result.Plan.Actions), "actions,", result.Executed,
		"executed")
	// Output: true 2 actions, 2 executed
}

// TestBundleFits checks that the test's bundle is one of a working camera.
func TestBundleFits(t *testing.T) {
	p, err := imageplan.Open(bundleDir, imageplan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if n := len(p.Model().States); n != 16 {
		t.Errorf("%d states, want BlocksWorld's 16", n)
	}
}
