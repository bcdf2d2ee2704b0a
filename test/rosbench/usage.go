package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"stripswm/nodes/ros"
	"stripswm/nodes/ros/middleware"
)

// open joins the domain with one node, on the transport that the program was built with.
func open(o options, name string) (n *ros.Node, done func(), err error) {
	for key, value := range map[string]string{"ROS_DOMAIN_ID": strconv.Itoa(o.domain),
		"ROS_LOCALHOST_ONLY": "1"} {
		if err := os.Setenv(key, value); err != nil {
			return nil, nil, err
		}
	}
	t, err := middleware.Open("", func(w string) { fmt.Fprintln(os.Stderr, "rosbench:", w) })
	if err != nil {
		return nil, nil, err
	}
	n, err = ros.NewNode(t, name, ros.Args{}, ros.Options{})
	if err != nil {
		t.Close()
		return nil, nil, err
	}
	return n, func() { n.Close(); t.Close() }, nil
}

// cpuTime is the user and system time of this process.
func cpuTime() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// rss is the resident memory of this process in bytes.
func rss() int64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var total, resident int64
	if _, err := fmt.Sscan(string(text), &total, &resident); err != nil {
		return 0
	}
	return resident * int64(os.Getpagesize())
}

// quantile of sorted durations; q from 0 to 1.
func quantile(sorted []time.Duration, q float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}

func sorted(d []time.Duration) []time.Duration {
	d = slices.Clone(d)
	slices.Sort(d)
	return d
}

func ms(d time.Duration) string { return fmt.Sprintf("%.2f", float64(d)/float64(time.Millisecond)) }

func mb(bytes int64) string { return fmt.Sprintf("%d", bytes>>20) }
