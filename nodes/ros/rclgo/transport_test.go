//go:build rclgo

package rclgo

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/ros"
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
	tr, err := Open("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	})
	n, err := tr.AddNode(ros.NodeName{Namespace: "/", Name: name})
	if err != nil {
		t.Fatal(err)
	}
	return tr, n
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

const patience = time.Minute

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

func receive[T any](t *testing.T, what string, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(patience):
		t.Fatalf("nothing came: %s", what)
		panic("unreachable")
	}
}

// word is std_msgs/msg/String in CDR.
func word(s string) []byte {
	b := append([]byte{0, 1, 0, 0, byte(len(s) + 1), 0, 0, 0}, s...)
	return append(b, make([]byte, 4-len(s)%4)...)
}

const text = "std_msgs/msg/String"

func TestPayloadsArrive(t *testing.T) {
	_, out := join(t, "talker")
	_, in := join(t, "listener")
	w := must(out.NewWriter("/word", text, ros.Default, nil))
	got := make(chan ros.Sample, 10)
	r := must(in.NewReader("/word", text, ros.Default, func(s ros.Sample) { got <- s }, nil))
	eventually(t, "they find each other", func() bool { return w.Matched() == 1 && r.Matched() == 1 })
	for _, s := range []string{"first", "second", ""} {
		if err := w.Write(word(s)); err != nil {
			t.Fatal(err)
		}
		if sample := receive(t, s, got); !bytes.Equal(sample.Payload, word(s)) || sample.Sent.IsZero() ||
			sample.Received.Before(sample.Sent) {
			t.Errorf("%q arrived as %+v", s, sample)
		}
	}
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
	must(0, slow.Write(word("hold")))
	receive(t, "the executor is held", held)
	for i := range 5 {
		must(0, fast.Write(word(strconv.Itoa(i))))
	}
	release <- true
	for i := range 5 {
		if s := receive(t, fmt.Sprint(i), got); s != string(word(strconv.Itoa(i))) {
			t.Errorf("%q came as number %d", s, i)
		}
	}
}

func TestCallsAreAnswered(t *testing.T) {
	_, server := join(t, "server")
	_, client := join(t, "client")
	const trigger = "std_srvs/srv/Trigger"
	replies := make(chan ros.Reply, 10)
	c := must(client.NewCaller("/reset", trigger, func(r ros.Reply) { replies <- r }))
	if c.Ready() {
		t.Error("ready without a server")
	}
	requests := make(chan ros.Request, 10)
	s := must(server.NewResponder("/reset", trigger, func(r ros.Request) { requests <- r }))
	eventually(t, "the server is matched", c.Ready)
	for i := range 3 {
		answer := append([]byte{0, 1, 0, 0, 1, 0, 0, 0, 5, 0, 0, 0}, "done\x00"...)
		sequence := must(c.Send([]byte{0, 1, 0, 0, 0}))
		must(0, s.Reply(receive(t, "the request", requests).ID, answer))
		reply := receive(t, "the reply", replies)
		if reply.Sequence != sequence || !bytes.Equal(reply.Payload, answer) {
			t.Errorf("reply %d is %v to request %d", i, reply, sequence)
		}
	}
	must(0, s.Close())
	eventually(t, "the server has gone", func() bool { return !c.Ready() })
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
			must(0, s.Reply(receive(t, "the request", requests).ID, must(msgs.Marshal(reply))))
			payload := receive(t, "the reply", replies).Payload
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

func TestIncompatibleQoSIsReported(t *testing.T) {
	_, out := join(t, "camera")
	_, in := join(t, "viewer")
	refused := make(chan string, 10)
	must(out.NewWriter("/image", text, ros.SensorData, func(m ros.Mismatch) {
		refused <- "publisher: " + m.Policy
	}))
	must(in.NewReader("/image", text, ros.Default, func(ros.Sample) {}, func(m ros.Mismatch) {
		refused <- "subscription: " + m.Policy
	}))
	got := map[string]bool{receive(t, "one side", refused): true, receive(t, "the other side",
		refused): true}
	if !got["publisher: reliability"] || !got["subscription: reliability"] {
		t.Errorf("reported: %v", got)
	}
}

// Endpoints come and go while others are busy, and the end does not wait for what arrives.
func TestEndpointsComeAndGo(t *testing.T) {
	_, out := join(t, "talker")
	tr, in := join(t, "listener")
	w := must(out.NewWriter("/word", text, ros.Default, nil))
	stop, stopped := make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				w.Write(word("again"))
			}
		}
	}()
	for i := range 50 {
		got := make(chan bool, 1)
		r := must(in.NewReader("/word", text, ros.QoS{Depth: 1}, func(ros.Sample) {
			select {
			case got <- true:
			default:
			}
		}, nil))
		receive(t, fmt.Sprintf("a message of subscription %d", i), got)
		must(0, r.Close())
	}
	must(in.NewReader("/word", text, ros.Default, func(ros.Sample) {}, nil))
	must(0, in.Close())
	must(0, in.Close())
	if _, err := in.NewWriter("/word", text, ros.Default, nil); !errors.Is(err, ros.ErrClosed) {
		t.Errorf("a writer of a closed node: %v", err)
	}
	must(0, tr.Close())
	close(stop)
	<-stopped
}

func TestNodesSeeEachOther(t *testing.T) {
	a, _ := join(t, "a")
	b, n := join(t, "b")
	eventually(t, "both are seen by both", func() bool {
		return len(a.Nodes()) == 2 &&
			len(b.Nodes()) == 2
	})
	must(0, n.Close())
	eventually(t, "one has gone", func() bool {
		return len(a.Nodes()) == 1 &&
			a.Nodes()[0].String() == "/a"
	})
}
