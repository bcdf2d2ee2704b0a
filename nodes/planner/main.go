// Command planner is the ROS 2 node that plans from camera images to goal images
// and executes the plans. See package stripswm/nodes/planner/node.
//
//	planner --ros-args -p bundle:=runs/demo/bundle -r camera/image_raw:=/rig/image
//
// It configures and activates itself; with -p autostart:=false it waits for
// `ros2 lifecycle set`. It prints "ready" when it takes goals. ^C and SIGTERM end it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"stripswm/nodes/planner/node"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/middleware"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second ^C ends the program at once
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "planner:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, arguments []string) (err error) {
	args, err := ros.ParseArgs(arguments)
	if err != nil {
		return err
	}
	if len(args.Rest) > 0 {
		return fmt.Errorf("unknown argument %q; parameters follow --ros-args -p NAME:=VALUE", args.Rest[0])
	}
	transport, err := middleware.Open(func(warning string) { fmt.Fprintln(os.Stderr, "planner:", warning) })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, transport.Close()) }()
	n, err := ros.NewNode(transport, "planner", args, ros.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.Close()) }()
	p, err := node.New(n)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close(context.WithoutCancel(ctx))) }()
	autostart, err := ros.Declare(n, "autostart", true, ros.Describe[bool]{Text: "configure and activate at start", ReadOnly: true})
	if err != nil {
		return err
	}
	if autostart.Get() {
		if err := p.Start(ctx); err != nil {
			return err
		}
	}
	fmt.Println("ready")
	<-ctx.Done()
	return nil
}
