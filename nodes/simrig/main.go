// Command simrig is the ROS 2 node that simulates a robot cell: a camera and a skill executor on a
// simulated world. Package stripswm/nodes/simrig/node describes its topics and services.
// launch/config/simrig.yaml lists its parameters.
//
//	simrig --ros-args -p world:=dinnertable -p rate:=15.0
//
// The node prints "ready" when it accepts goals. ^C and SIGTERM end it.
package main

import (
	"context"
	"fmt"

	"stripswm/nodes/ros"
	"stripswm/nodes/ros/middleware"
	"stripswm/nodes/simrig/node"
)

func main() { middleware.Main("simrig", run) }

func run(ctx context.Context, n *ros.Node) error {
	if _, err := node.New(n); err != nil {
		return err
	}
	fmt.Println("ready")
	<-ctx.Done()
	return nil
}
