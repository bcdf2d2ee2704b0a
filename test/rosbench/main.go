// Command rosbench measures nodes/ros between two processes on this machine: images at fixed rates,
// memory over many images, and service calls. It prints a table, which holds for this machine and
// its load. The transport is nodes/ros/dds, or rclgo if it is built with it:
//
//	go run ./test/rosbench
//	eval "$(make -s ros-env)" && go run ./test/rosbench
//
// The parent process subscribes and calls. A child process, the same program, publishes and serves.
// Latency is from the stamp, set just before an image is encoded, to the handler with the decoded
// image. CPU is user and system time of the process over the run, divided by the number of
// messages. CYCLONEDDS_URI selects a configuration.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var o options
	flag.DurationVar(&o.duration, "duration", 30*time.Second, "length of each run with images")
	flag.IntVar(&o.memory, "memory", 10_000, "images of the run that measures memory")
	flag.IntVar(&o.calls, "calls", 5_000, "service calls")
	flag.IntVar(&o.domain, "domain", 199, "ROS domain, on the loopback interface")
	flag.BoolVar(&o.child, "child", false, "be the child")
	flag.Parse()
	run := parent
	if o.child {
		run = child
	}
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "rosbench:", err)
		os.Exit(1)
	}
}

type options struct {
	duration time.Duration
	memory   int
	calls    int
	domain   int
	child    bool
}
