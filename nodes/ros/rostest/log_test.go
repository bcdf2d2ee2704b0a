package rostest_test

import (
	"fmt"

	"stripswm/nodes/ros/rostest"
)

func ExampleLog() {
	var log rostest.Log
	fmt.Fprintln(&log, "ready")
	fmt.Println(log.Has("ready"), log.Has("done"))
	// Output: true false
}
