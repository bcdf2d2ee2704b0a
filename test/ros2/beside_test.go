package ros2

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/dds"
	"stripswm/test/internal/process"
)

const trigger = "std_srvs/srv/Trigger"

// join makes a node on CycloneDDS, which serves /ours and counts its calls.
func join(t *testing.T, domain int) (n *ros.Node, calls, warnings chan string) {
	t.Helper()
	calls, warnings = make(chan string, 100), make(chan string, 100)
	tr, err := dds.Open(dds.Config{Domain: domain, Range: dds.Localhost},
		func(text string) { warnings <- text })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tr.Close() })
	if n, err = ros.NewNode(tr, "ours", ros.Args{}, ros.Options{Log: io.Discard}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close() })
	if _, err := ros.Serve(n, "/ours", func(context.Context,
		*msgs.TriggerRequest) *msgs.TriggerResponse {
		calls <- "called"
		return &msgs.TriggerResponse{Success: true, Message: "served"}
	}); err != nil {
		t.Fatal(err)
	}
	return n, calls, warnings
}

// theirs starts a server of rclpy, and calls it.
func (g graph) theirs(n *ros.Node) (*process.Process, *msgs.TriggerResponse, error) {
	g.t.Helper()
	server := process.Start(g.t, g.command("python3", "testdata/server.py"))
	server.Await("ready")
	client, err := ros.NewClient[*msgs.TriggerRequest, *msgs.TriggerResponse](n, "/theirs")
	if err != nil {
		g.t.Fatal(err)
	}
	defer client.Close()
	res, err := client.Call(process.Soon(g.t), &msgs.TriggerRequest{})
	return server, res, err
}

func TestServicesOfCycloneDDS(t *testing.T) {
	g := newGraph(t, "dds", cycloneDDS)
	n, _, warnings := join(t, g.domain)
	if _, res, err := g.theirs(n); err != nil || res.Message != "here" {
		t.Errorf("their server answers %v, %v", res, err)
	}
	if out := g.says("service", "call", "/ours", trigger); !strings.Contains(out, "served") {
		t.Errorf("ros2 service call says %s", out)
	}
	if len(warnings) > 0 {
		t.Errorf("warned of %s", <-warnings)
	}
}

// A server of Fast DDS takes the header of our requests for a length: rclpy's took 3.9 GB.
func TestServicesOfFastDDS(t *testing.T) {
	g := newGraph(t, "dds", fastDDS)
	n, calls, warnings := join(t, g.domain)
	server, _, err := g.theirs(n)
	if err == nil || !strings.Contains(err.Error(), "RMW_IMPLEMENTATION=rmw_cyclonedds_cpp") {
		t.Errorf("a call of their server: %v", err)
	}
	if text := process.Receive(t, "a warning", warnings); !strings.Contains(text,
		"/server runs on Fast DDS") {
		t.Errorf("warned of %s", text)
	}
	sendAnyway(t, g.domain)
	if out := g.says("service", "call", "/theirs", trigger); !strings.Contains(out, "here") {
		t.Errorf("their server answers its own client %s", out)
	}
	if got := strings.Count(server.Out.String(), "called"); got != 1 {
		t.Errorf("their server was called %d times, once by its own client", got)
	}
	lost := g.command("timeout", "10", "ros2", "service", "call", "/ours", trigger)
	if out := process.Run(t, lost).Stdout; strings.Contains(out, "making request") ||
		!strings.Contains(out, "waiting for service") || len(calls) > 0 {
		t.Errorf("ros2 service call finds our server: %s", out)
	}
}

// sendAnyway sends requests to /theirs, although it has been found that it cannot be called.
func sendAnyway(t *testing.T, domain int) {
	tr, err := dds.Open(dds.Config{Domain: domain, Range: dds.Localhost}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	n, err := tr.AddNode(ros.NodeName{Namespace: "/", Name: "reckless"})
	if err != nil {
		t.Fatal(err)
	}
	c, err := n.NewCaller("/theirs", trigger, func(ros.Reply) { t.Error("a reply of Fast DDS") })
	if err != nil {
		t.Fatal(err)
	}
	for c.Unusable() == nil {
		time.Sleep(10 * time.Millisecond)
	}
	for range 10 {
		if _, err := c.Send([]byte{0, 1, 0, 0, 0}); err != nil {
			t.Error(err)
		}
		time.Sleep(200 * time.Millisecond) // in which they would find each other
	}
}

func TestTopicsWithFastDDS(t *testing.T) {
	g := newGraph(t, "dds", fastDDS)
	n, _, _ := join(t, g.domain)
	p, err := ros.Advertise[*msgs.String](n, "/word", ros.Default)
	if err != nil {
		t.Fatal(err)
	}
	n.Every(n.Context(), 100*time.Millisecond,
		func(time.Time) { p.Publish(&msgs.String{Data: "passed"}) })
	out := g.says("topic", "echo", "--once", "/word", "std_msgs/msg/String")
	if !strings.Contains(out, "passed") {
		t.Errorf("ros2 topic echo says %s", out)
	}
}
