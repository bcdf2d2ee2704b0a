// Command simrig is the ROS 2 node that stands in for a robot cell: a camera and
// a skill executor on top of a simulated world. See package
// stripswm/nodes/simrig/node.
//
//	simrig --ros-args -p world:=dinnertable -p rate:=15.0
//
// It prints "ready" when it takes goals. ^C and SIGTERM end it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"stripswm/nodes/ros"
	"stripswm/nodes/ros/middleware"
	"stripswm/nodes/simrig/node"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second ^C ends the program at once
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "simrig:", err)
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
	transport, err := middleware.Open(func(warning string) { fmt.Fprintln(os.Stderr, "simrig:", warning) })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, transport.Close()) }()
	n, err := ros.NewNode(transport, "simrig", args, ros.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.Close()) }()
	if _, err := node.New(n); err != nil {
		return err
	}
	fmt.Println("ready")
	<-ctx.Done()
	return nil
}
