// Command planner is the ROS 2 node that plans from camera images to goal images and executes the
// plans. Package stripswm/nodes/planner/node describes its topics and services.
// launch/config/planner.yaml lists its parameters.
//
//	planner --ros-args -p bundle:=runs/demo/bundle -r camera/image_raw:=/rig/image
//
// It configures and activates itself. With -p autostart:=false it waits for `ros2 lifecycle set`.
//
// The node prints "ready" when it accepts goals. ^C and SIGTERM end it.
package main

import (
	"context"
	"errors"
	"fmt"

	"stripswm/nodes/planner/node"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/middleware"
)

func main() { middleware.Main("planner", run) }

func run(ctx context.Context, n *ros.Node) (err error) {
	p, err := node.New(n)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close(context.WithoutCancel(ctx))) }()
	s := &ros.Settings{Node: n}
	autostart := ros.Setting(s, "autostart", true, "configure and activate at start")
	if s.Err != nil {
		return s.Err
	}
	n.WarnUndeclared()
	if autostart {
		if err := p.Start(ctx); err != nil {
			return err
		}
	}
	fmt.Println("ready")
	<-ctx.Done()
	return nil
}
