// Command recorder is the ROS 2 node that records (image, action, image)
// transitions from a camera and a skill executor. See package
// stripswm/nodes/recorder/node.
//
//	recorder --ros-args -p directory:=runs/bag -r camera/image_raw:=/rig/image
//
// It records from the start; with -p autostart:=false it waits for ~/start. It
// prints "ready" when it listens. ^C and SIGTERM close the bag, print the
// cadence report and end it.
//
// Exit codes: 0 it was asked to end; 1 it could not begin, or not close its bag; 6 the
// recording ended by itself, as the disk is full or failing. What was acknowledged before is in the bag.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"stripswm/nodes/recorder/node"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/middleware"
)

func main() { middleware.Main("recorder", run) }

func run(ctx context.Context, n *ros.Node) (err error) {
	r, err := node.New(n, os.Stdout)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	fmt.Println("ready")
	select {
	case <-ctx.Done():
		return nil
	case err := <-r.Failed():
		return middleware.ExitError{Code: exitDisk, Err: err}
	}
}

const exitDisk = 6 // as of stripswm
