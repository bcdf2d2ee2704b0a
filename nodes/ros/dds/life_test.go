package dds

import (
	"runtime"
	"strings"
	"testing"

	"stripswm/nodes/ros"
)

// goroutines counts those that this package started.
func goroutines() int {
	buf := make([]byte, 1<<20)
	return strings.Count(string(buf[:runtime.Stack(buf, true)]), "dds.(*loop).run")
}

func TestTransportsLeaveNothingBehind(t *testing.T) {
	before := goroutines()
	for range 5 {
		tr, err := Open(loopback(testDomain), nil)
		if err != nil {
			t.Fatal(err)
		}
		n, err := tr.AddNode(ros.NodeName{Namespace: "/", Name: "short"})
		if err != nil {
			t.Fatal(err)
		}
		got := make(chan ros.Sample, 1)
		w, err := n.NewWriter("/x", "std_msgs/msg/String", ros.Default, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := n.NewReader("/x", "std_msgs/msg/String", ros.Default, func(s ros.Sample) {
			got <- s
		}, nil); err != nil {
			t.Fatal(err)
		}
		eventually(t, "the reader is found", func() bool { return w.Matched() == 1 })
		if err := w.Write(payloadOf(100)); err != nil {
			t.Fatal(err)
		}
		receive(t, "the message", got)
		if err := tr.Close(); err != nil {
			t.Fatal(err)
		}
		if err := tr.Close(); err != nil {
			t.Errorf("closed twice: %v", err)
		}
	}
	if after := goroutines(); after != before {
		t.Errorf("%d loops run, %d before", after, before)
	}
	domains.Lock()
	defer domains.Unlock()
	if d := domains.open[testDomain]; d != nil {
		t.Errorf("the domain is open still, for %d users", d.users)
	}
}

func TestPayloadsWithoutHeaderAreRefused(t *testing.T) {
	_, n := join(t, testDomain)
	w, err := n.NewWriter("/x", "std_msgs/msg/String", ros.Default, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, payload := range [][]byte{nil, {}, {0, 1, 0}} {
		if err := w.Write(payload); err == nil {
			t.Errorf("%v was sent", payload)
		}
	}
}

// Readers and writers come and go while messages flow.
func TestEndpointsCloseWhileMessagesFlow(t *testing.T) {
	_, n := join(t, testDomain)
	w, err := n.NewWriter("/flow", "std_msgs/msg/String", ros.Default, nil)
	if err != nil {
		t.Fatal(err)
	}
	stop, stopped := make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				if err := w.Write(payloadOf(1000)); err != nil {
					t.Error(err)
					return
				}
			}
		}
	}()
	for range 20 {
		got := make(chan bool, 1)
		r, err := n.NewReader("/flow", "std_msgs/msg/String", ros.Default, func(ros.Sample) {
			select {
			case got <- true:
			default:
			}
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		receive(t, "a message", got)
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	<-stopped
}

func TestEnvironmentOfUsersIsTaken(t *testing.T) {
	c := loopback(testDomain)
	c.Extra = "<CycloneDDS><Domain><General><Interfaces><NetworkInterface " +
		"name=\"nosuch0\"/></Interfaces></General></Domain></CycloneDDS>"
	c.Domain++
	if tr, err := Open(c, nil); err == nil {
		tr.Close()
		t.Error("an interface that does not exist was taken")
	}
	c.Extra = "<nonsense>"
	if tr, err := Open(c, nil); err == nil {
		tr.Close()
		t.Error("a configuration that is none was taken")
	}
}
