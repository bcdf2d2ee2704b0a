// Command recorder is the ROS 2 node that records (image, action, image)
// transitions from a camera and a skill executor. See package
// stripswm/nodes/recorder/node.
//
//	recorder --ros-args -p directory:=runs/bag -r camera/image_raw:=/rig/image
//
// It records from the start; with -p autostart:=false it waits for ~/start. It
// prints "ready" when it listens. ^C and SIGTERM close the bag, print the
// cadence report and end it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"stripswm/nodes/recorder/node"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/middleware"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second ^C ends the program at once
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "recorder:", err)
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
	transport, err := middleware.Open(func(warning string) { fmt.Fprintln(os.Stderr, "recorder:", warning) })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, transport.Close()) }()
	n, err := ros.NewNode(transport, "recorder", args, ros.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.Close()) }()
	r, err := node.New(n, os.Stdout)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	fmt.Println("ready")
	<-ctx.Done()
	return nil
}
