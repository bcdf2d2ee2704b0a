// Command learner is the ROS 2 node that learns a bundle from a recording. Package
// stripswm/nodes/learner/node describes its topics and services. launch/config/learner.yaml lists
// its parameters.
//
//	learner --ros-args -p bag:=runs/bag -p out:=runs/table
//
// It learns at once if bag and out are given, unless autostart is false, or when its service
// ~/start is called. With -p once:=true the process ends after learning, with exit code 0, or 1 if
// learning failed.
//
// The node prints "ready" when its services are there. ^C and SIGTERM end it; it keeps the best
// checkpoint.
package main

import (
	"context"
	"fmt"

	"stripswm/nodes/learner/node"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/middleware"
)

func main() { middleware.Main("learner", run) }

func run(ctx context.Context, n *ros.Node) error {
	l, err := node.New(n)
	if err != nil {
		return err
	}
	s := &ros.Settings{Node: n}
	autostart := ros.Setting(s, "autostart", true, "learn at once if bag and out are given")
	once := ros.Setting(s, "once", false, "end when learned")
	if s.Err != nil {
		return s.Err
	}
	n.WarnUndeclared()
	fmt.Println("ready")
	if autostart && l.Configured() {
		if err := l.Start(); err != nil {
			return err
		}
	}
	if once {
		if err := l.Wait(ctx); err != nil && ctx.Err() == nil {
			return err
		}
		return l.Stop()
	}
	<-ctx.Done()
	return l.Stop()
}
