package rostest

import (
	"context"
	"fmt"
	"io"
	"testing"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/ros"
)

// Node makes a node with parameters as in "rate:=30.0". It is closed when the test ends.
func Node(t testing.TB, tr ros.Transport, name string, log io.Writer, params ...string) *ros.Node {
	t.Helper()
	list := []string{"--ros-args"}
	for _, p := range params {
		list = append(list, "-p", p)
	}
	args, err := ros.ParseArgs(list)
	if err != nil {
		t.Fatal(err)
	}
	n, err := ros.NewNode(tr, name, args, ros.Options{Log: log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close() })
	return n
}

// Call calls a service. It panics where none answers.
func Call[Res, Req msgs.Message](n *ros.Node, service string, req Req) Res {
	ctx, cancel := context.WithTimeout(n.Context(), 8*time.Minute)
	defer cancel()
	c, err := ros.NewClient[Req, Res](n, service)
	var res Res
	if err == nil {
		defer c.Close()
		res, err = c.Call(ctx, req)
	}
	if err != nil {
		panic(fmt.Errorf("call %s: %w", service, err))
	}
	return res
}
