//go:build rclgo

package rclgo

import (
	"errors"
	"fmt"
	"os"
	"path"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/rostest"
)

func TestMain(m *testing.M) {
	// runs side by side must not hear each other
	os.Setenv("ROS_DOMAIN_ID", strconv.Itoa(30+os.Getpid()%60))
	os.Setenv("ROS_LOCALHOST_ONLY", "1")
	os.Exit(m.Run())
}

// join makes a node in a context of its own.
func join(t *testing.T, name string) (*Transport, ros.Endpoints) {
	t.Helper()
	tr := must(Open(""))
	t.Cleanup(func() {
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	})
	n := must(tr.AddNode(ros.NodeName{Namespace: "/", Name: name}))
	return tr, n
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

var eventually = rostest.Eventually

const text = "std_msgs/msg/String"

func TestConform(t *testing.T) {
	rostest.Conform(t, func(t *testing.T) ros.Transport { return must(Open("")) })
}

// What a rmw keeps for a subscription is taken at one wake: a reader whose executor was held by
// something else for a while has all that its history holds.
func TestAllThatWaitsIsTaken(t *testing.T) {
	_, out := join(t, "camera")
	_, in := join(t, "recorder")
	depth := ros.QoS{BestEffort: true, Depth: 5}
	slow := must(out.NewWriter("/slow", text, ros.Default, nil))
	fast := must(out.NewWriter("/fast", text, depth, nil))
	held, release, got := make(chan bool, 1), make(chan bool), make(chan string, 100)
	hold := must(in.NewReader("/slow", text, ros.Default, func(ros.Sample) { held <- true; <-release },
		nil))
	r := must(in.NewReader("/fast", text, depth, func(s ros.Sample) { got <- string(s.Payload) }, nil))
	eventually(t, "they find each other", func() bool {
		return slow.Matched() == 1 && fast.Matched() == 1 && r.Matched() == 1 && hold.Matched() == 1
	})
	must(0, slow.Write(rostest.Word("hold")))
	rostest.Receive(t, "the executor is held", held)
	for i := range 5 {
		must(0, fast.Write(rostest.Word(strconv.Itoa(i))))
	}
	release <- true
	for i := range 5 {
		if s := rostest.Receive(t, fmt.Sprint(i), got); s != string(rostest.Word(strconv.Itoa(i))) {
			t.Errorf("%q came as number %d", s, i)
		}
	}
}

// Replies end where their last field ends: rmw_fastrtps estimates the size of several results too
// high, by more bytes than padding explains.
func TestRepliesHaveTheirLength(t *testing.T) {
	_, server := join(t, "server")
	_, client := join(t, "client")
	for name, reply := range map[string]msgs.Message{
		"rcl_interfaces/srv/SetParameters": &msgs.SetParametersResponse{
			Results: []msgs.SetParametersResult{{Successful: true}, {Reason: "too small"}, {}}},
		"rcl_interfaces/srv/GetParameters": &msgs.GetParametersResponse{Values: []msgs.ParameterValue{
			{Type: msgs.ParameterTypeParameterBool, BoolValue: true},
			{Type: msgs.ParameterTypeParameterString, StringValue: "a"}}},
		"rcl_interfaces/srv/ListParameters": &msgs.ListParametersResponse{
			Result: msgs.ListParametersResult{Names: []string{"a", "bundle"}, Prefixes: []string{"b"}}},
		"rcl_interfaces/srv/DescribeParameters": &msgs.DescribeParametersResponse{
			Descriptors: []msgs.ParameterDescriptor{{Name: "rate", Description: "d"}, {Name: "x"}}},
		"lifecycle_msgs/srv/GetAvailableTransitions": &msgs.GetAvailableTransitionsResponse{
			AvailableTransitions: []msgs.TransitionDescription{
				{Transition: msgs.LifecycleTransition{ID: 1, Label: "configure"}}, {}}},
		"action_msgs/srv/CancelGoal": &msgs.CancelGoalResponse{GoalsCanceling: make([]msgs.GoalInfo, 3)},
	} {
		t.Run(path.Base(name), func(t *testing.T) {
			replies, requests := make(chan ros.Reply, 1), make(chan ros.Request, 1)
			c := must(client.NewCaller("/call", name, func(r ros.Reply) { replies <- r }))
			s := must(server.NewResponder("/call", name, func(r ros.Request) { requests <- r }))
			eventually(t, "the server is matched", c.Ready)
			request, _ := msgs.New(name + "_Request")
			must(c.Send(must(msgs.Marshal(request))))
			must(0, s.Reply(rostest.Receive(t, "the request", requests).ID, must(msgs.Marshal(reply))))
			payload := rostest.Receive(t, "the reply", replies).Payload
			got, _ := msgs.New(name + "_Response")
			if err := msgs.Unmarshal(payload, got); err != nil || !reflect.DeepEqual(got, reply) {
				t.Errorf("%v arrived as %v, %v", reply, got, err)
			}
			if want := must(msgs.Marshal(reply)); len(payload) > len(want)+3 {
				t.Errorf("%d bytes arrived of %d", len(payload), len(want))
			}
			must(0, c.Close())
			must(0, s.Close())
		})
	}
}

// What rclgo reports has no Go stack trace, which hides the reason.
func TestErrorsAreOneLine(t *testing.T) {
	tr, n := join(t, "talker")
	_, err := n.NewWriter("/no space", text, ros.Default, nil)
	if err == nil || strings.ContainsAny(err.Error(), "\n\x00") || !strings.Contains(err.Error(),
		"no space") {
		t.Errorf("a wrong topic: %q", err)
	}
	_, err = tr.AddNode(ros.NodeName{Namespace: "/", Name: "no space"})
	if err == nil || strings.ContainsAny(err.Error(), "\n\x00") {
		t.Errorf("a wrong node name: %q", err)
	}
}

// A request that is not sent is an error to the caller; one without an answer leaves nothing
// behind.
func TestUnsentAndUnansweredCalls(t *testing.T) {
	_, server := join(t, "server")
	_, client := join(t, "client")
	const trigger = "std_srvs/srv/Trigger"
	must(server.NewResponder("/deaf", trigger, func(ros.Request) {}))
	c := must(client.NewCaller("/deaf", trigger, func(ros.Reply) { t.Error("a reply") }))
	eventually(t, "the server is matched", c.Ready)
	if _, err := c.Send([]byte{0}); err == nil {
		t.Error("a payload without encapsulation was sent")
	}
	before := runtime.NumGoroutine()
	for range 100 {
		must(c.Send([]byte{0, 1, 0, 0, 0, 0, 0, 0}))
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("100 unanswered calls left %d goroutines", after-before)
	}
	must(0, c.Close())
	if _, err := c.Send([]byte{0, 1, 0, 0, 0, 0, 0, 0}); !errors.Is(err, ros.ErrClosed) {
		t.Errorf("a call after closing: %v", err)
	}
}
