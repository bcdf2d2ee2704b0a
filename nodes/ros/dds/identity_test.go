package dds

import (
	"testing"
	"time"

	"stripswm/nodes/ros"
)

// other is a client of rmw_cyclonedds that tells which replies it is given, whomever they are for.
func other(c Config) error {
	return withNode(c, "other", func(n ros.Endpoints) error {
		given, err := n.NewWriter("/given", "std_msgs/msg/String", ros.Default, nil)
		if err != nil {
			return err
		}
		t := n.(*node).t
		_, err = newReader(t.participant, t.loop, replyTopic("/served"),
			typeName("std_srvs/srv/Trigger_Response"), t.serviceOffer("", "std_srvs/srv/Trigger_Response"),
			func(r received) {
				for given.Matched() == 0 {
					time.Sleep(5 * time.Millisecond)
				}
				given.Write(r.payload)
			}, nil)
		return err
	})
}

// What is for rmw_fastrtps has no header before its fields: rmw_cyclonedds would misread it.
func TestRepliesToFastDDSDoNotReachCycloneDDS(t *testing.T) {
	start(t, "other", testDomain)
	_, n := join(t, testDomain)
	given := make(chan byte, 100)
	if _, err := n.NewReader("/given", "std_msgs/msg/String", ros.Default,
		func(s ros.Sample) { given <- s.Payload[encapsulation] }, nil); err != nil {
		t.Fatal(err)
	}
	r, err := n.NewResponder("/served", "std_srvs/srv/Trigger", func(ros.Request) {})
	if err != nil {
		t.Fatal(err)
	}
	replies := r.(*server).replies
	eventually(t, "the other is found", func() bool { return len(replies.matchedReaders()) > 0 })
	for i := range byte(20) {
		payload := append([]byte{0, 1, 0, 0, i}, make([]byte, 200_000*int(i%4/2))...)
		var related *identity
		if i%2 == 0 {
			related = &identity{reader: gid{1, 15, 3}, number: 7}
		}
		if err := replies.write(payload, related); err != nil {
			t.Fatal(err)
		}
	}
	for want := byte(1); want < 20; want += 2 {
		if got := receive(t, "a reply", given); got != want {
			t.Fatalf("it is given reply %d, want %d", got, want)
		}
	}
}
