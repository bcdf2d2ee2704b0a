// Command explorer is the ROS 2 node that has a robot record by itself: it chooses a
// skill, has it tried, looks, and has the learner learn anew as evidence grows. See
// package stripswm/nodes/explorer/node.
//
//	explorer --ros-args -p actions:=18 -p bag:=runs/bag -p budget:=2000
//
// It begins when camera, executor, recorder and learner are there, and ends when it
// expects nothing worth the while, or a budget is spent; with -p once:=true the
// process ends then, with exit code 0. It prints "ready" when its services are there.
// ^C and SIGTERM end it, and a skill that runs. Started again with the same bag it goes
// on where it was.
package main

import (
	"context"
	"fmt"

	"stripswm/nodes/explorer/node"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/middleware"
)

func main() { middleware.Main("explorer", run) }

func run(ctx context.Context, n *ros.Node) error {
	e, err := node.New(n)
	if err != nil {
		return err
	}
	once, err := ros.Declare(n, "once", false, ros.Describe[bool]{Text: "end when nothing is left to explore, or a budget is spent", ReadOnly: true})
	if err != nil {
		return err
	}
	n.WarnUndeclared()
	fmt.Println("ready")
	if _, err := e.Run(ctx); err != nil && ctx.Err() == nil {
		return err
	}
	if !once.Get() {
		<-ctx.Done()
	}
	return nil
}
