// Command recorder is the ROS 2 node that records (image, action, image) transitions from a camera
// and a skill executor. Package stripswm/nodes/recorder/node describes its topics and services.
// launch/config/recorder.yaml lists its parameters.
//
//	recorder --ros-args -p directory:=runs/bag -r camera/image_raw:=/rig/image
//
// It records from the start. With -p autostart:=false it waits for its service ~/start.
//
// The node prints "ready" when it listens. ^C and SIGTERM close the bag, print the cadence report
// and end the node. Its exit codes:
//   - 0: it was asked to end
//   - 1: it could not begin, or not close its bag
//   - 6: the disk is full or fails; the bag contains what was acknowledged before
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
