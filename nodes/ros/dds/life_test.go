package dds

import (
	"runtime"
	"strings"
	"testing"

	"stripswm/nodes/ros"
	"stripswm/nodes/ros/rostest"
)

// goroutines counts those that this package started.
func goroutines() int {
	buf := make([]byte, 1<<20)
	return strings.Count(string(buf[:runtime.Stack(buf, true)]), "dds.(*loop).run")
}

func TestTransportsLeaveNothingBehind(t *testing.T) {
	before := goroutines()
	for range 5 {
		tr := must(Open(loopback(testDomain), nil))
		n := must(tr.AddNode(ros.NodeName{Namespace: "/", Name: "short"}))
		got := make(chan ros.Sample, 1)
		w := must(n.NewWriter("/x", "std_msgs/msg/String", ros.Default, nil))
		must(n.NewReader("/x", "std_msgs/msg/String", ros.Default, func(s ros.Sample) {
			got <- s
		}, nil))
		eventually(t, "the reader is found", func() bool { return w.Matched() == 1 })
		must(0, w.Write(payloadOf(100)))
		rostest.Receive(t, "the message", got)
		must(0, tr.Close())
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
	w := must(n.NewWriter("/x", "std_msgs/msg/String", ros.Default, nil))
	for _, payload := range [][]byte{nil, {}, {0, 1, 0}} {
		if err := w.Write(payload); err == nil {
			t.Errorf("%v was sent", payload)
		}
	}
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
