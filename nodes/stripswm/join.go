package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/spf13/cobra"

	"stripswm/nodes/ros"
	"stripswm/nodes/ros/middleware"
)

// join makes the verb a ROS 2 node, on this machine alone unless the environment says otherwise.
func join(cmd *cobra.Command) (n *ros.Node, leave func() error, err error) {
	if err := stayLocal(); err != nil {
		return nil, nil, err
	}
	transport, err := middleware.Open("", func(text string) {
		fmt.Fprintln(cmd.ErrOrStderr(), "stripswm:", text)
	})
	if err != nil {
		return nil, nil, err
	}
	n, err = ros.NewNode(transport, fmt.Sprintf("stripswm_%08x", rand.Uint32()), ros.Args{},
		ros.Options{Log: io.Discard})
	if err != nil {
		return nil, nil, errors.Join(err, transport.Close())
	}
	return n, func() error { return errors.Join(n.Close(), transport.Close()) }, nil
}
