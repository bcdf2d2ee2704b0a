package dds

import (
	"testing"

	"stripswm/msgs"
	"stripswm/nodes/ros"
)

func TestEndpointsTellTheirTypesHash(t *testing.T) {
	_, n := join(t, testDomain)
	w, err := n.NewWriter("/hash", "std_msgs/msg/String", ros.Default, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := n.NewReader("/hash", "std_msgs/msg/String", ros.Default, func(ros.Sample) {}, nil)
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "they find each other", func() bool { return w.Matched() == 1 && r.Matched() == 1 })
	in := r.(*reader)
	got, _ := in.writerKey(in.matchedWriters()[0], "typehash")
	if got != msgs.TypeHash("std_msgs/msg/String") {
		t.Errorf("the writer tells the hash %q", got)
	}
}

func TestServicesTellTheHashOfTheirTypes(t *testing.T) {
	_, n := join(t, testDomain)
	const trigger = "std_srvs/srv/Trigger"
	if _, err := n.NewResponder("/hashed", trigger, func(ros.Request) {}); err != nil {
		t.Fatal(err)
	}
	c, err := n.NewCaller("/hashed", trigger, func(ros.Reply) {})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the server is found", c.Ready)
	own := c.(*client)
	got, _ := own.replies.writerKey(own.replies.matchedWriters()[0], "typehash")
	asked, _ := own.requests.readerKey(own.requests.matchedReaders()[0], "typehash")
	if got == "" || asked == "" || got == asked || got != msgs.TypeHash(trigger+"_Response") ||
		asked != msgs.TypeHash(trigger+"_Request") {
		t.Errorf("the server tells %q of replies and %q of requests", got, asked)
	}
}
