// Command explorer is the ROS 2 node that explores: it chooses a skill, has it executed and
// recorded, and learns from the outcome what to choose next. Package
// stripswm/nodes/explorer/node describes its topics and services. launch/config/explorer.yaml lists
// its parameters.
//
//	explorer --ros-args -p actions:=18 -p bag:=runs/bag -p budget:=2000
//
// It begins when camera, executor and recorder are there. It ends exploration when it expects plans
// between enough pairs of states, or when a budget is spent. With -p once:=true the process then
// ends with exit code 0. Started again with the same bag, it continues where it was.
//
// The node prints "ready" when its services are there. ^C and SIGTERM end it, and a skill that
// runs.
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
	s := &ros.Settings{Node: n}
	once := ros.Setting(s, "once", false, "end when nothing is left to explore, or a budget is spent")
	if s.Err != nil {
		return s.Err
	}
	n.WarnUndeclared()
	fmt.Println("ready")
	if _, err := e.Run(ctx); err != nil && ctx.Err() == nil {
		return err
	}
	if !once {
		<-ctx.Done()
	}
	return nil
}
