package dds

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stripswm/nodes/ros"
	"stripswm/nodes/ros/rostest"
)

func TestNamesOnTheWire(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{topicName("/camera/image"), "rt/camera/image"},
		{requestTopic("/rig/start"), "rq/rig/startRequest"},
		{replyTopic("/rig/start"), "rr/rig/startReply"},
		{requestTopic("/plan/_action/send_goal"), "rq/plan/_action/send_goalRequest"},
		{typeName("sensor_msgs/msg/Image"), "sensor_msgs::msg::dds_::Image_"},
		{typeName("std_srvs/srv/Trigger_Request"), "std_srvs::srv::dds_::Trigger_Request_"},
		{typeName("strips_wm_msgs/action/PlanToImage_SendGoal_Response"),
			"strips_wm_msgs::action::dds_::PlanToImage_SendGoal_Response_"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}

func TestUserDataKeys(t *testing.T) {
	const data = "enclave=/;clientid=01.02;typehash=RIHS01_0;"
	for key, want := range map[string]string{"clientid": "01.02", "typehash": "RIHS01_0",
		"serviceid": "", "client": ""} {
		if got := userDataKey(data, key); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
}

func TestCallHeaderGoesInAndOut(t *testing.T) {
	for _, payload := range [][]byte{{0, 1, 0, 0}, {0, 1, 0, 0, 5, 6, 7, 8},
		{0, 0, 0, 0, 9, 9, 9, 9}} {
		with := must(addHeader(payload, 1<<60+3, -7))
		rest, client, sequence, err := cutHeader(with)
		if err != nil || client != 1<<60+3 || sequence != -7 || !bytes.Equal(rest, payload) {
			t.Errorf("%v became %v of client %d, sequence %d, error %v", payload, rest, client, sequence,
				err)
		}
	}
	if _, err := addHeader([]byte{0, 1}, 1, 1); err == nil {
		t.Error("a payload without encapsulation gets a header")
	}
}

func sampleDiscovery() *discovery {
	return &discovery{participant: gid{1, 2, 3}, nodes: []nodeEntities{
		{name: ros.NodeName{Namespace: "/", Name: "camera"}, readers: []gid{{4}},
			writers: []gid{{5}, {6}}},
		{name: ros.NodeName{Namespace: "/rig", Name: "recorder"}, readers: []gid{}, writers: []gid{}},
	}}
}

func TestDiscoveryInBothForms(t *testing.T) {
	for _, size := range []int{humbleGID, ironGID} {
		payload := must(sampleDiscovery().encode(size))
		got := must(decodeDiscovery(payload, size))
		if diff := cmp.Diff(sampleDiscovery(), got, cmp.AllowUnexported(discovery{},
			nodeEntities{})); diff != "" {
			t.Errorf("%d: %s", size, diff)
		}
		if _, err := decodeDiscovery(payload, humbleGID+ironGID-size); err == nil {
			t.Errorf("%d: classified as the other form", size)
		}
	}
}

// Where nothing says which layout is read, Humble's comes first: Humble reads it, and to later
// distributions it is the participant without nodes.
func TestFirstLayoutHarmsNobody(t *testing.T) {
	payload := must(sampleDiscovery().encode(distributionOf("").gid))
	if _, err := decodeDiscovery(payload, humbleGID); err != nil {
		t.Errorf("Humble does not read it: %v", err)
	}
	iron := payload[:encapsulation+ironGID+4] // what follows is not read
	got, err := decodeDiscovery(iron, ironGID)
	if err != nil || got.participant != sampleDiscovery().participant || len(got.nodes) != 0 {
		t.Errorf("Iron reads %v, %v", got, err)
	}
}

func FuzzDiscovery(f *testing.F) {
	for _, size := range []int{humbleGID, ironGID} {
		payload, err := sampleDiscovery().encode(size)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(payload, size == humbleGID)
	}
	f.Add([]byte{0, 1, 0, 0}, true)
	f.Fuzz(func(t *testing.T, payload []byte, humble bool) {
		size := ironGID
		if humble {
			size = humbleGID
		}
		info, err := decodeDiscovery(payload, size)
		if err != nil {
			return
		}
		if _, err := info.encode(size); err != nil {
			t.Errorf("decoded, and not encoded: %v", err)
		}
	})
}

func FuzzCallHeader(f *testing.F) {
	f.Add([]byte{0, 1, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18})
	f.Add([]byte{0, 1})
	f.Fuzz(func(t *testing.T, payload []byte) {
		whole := bytes.Clone(payload)
		rest, client, sequence, err := cutHeader(payload)
		if err != nil {
			return
		}
		again, err := addHeader(rest, client, sequence)
		if err != nil || !bytes.Equal(again, whole) {
			t.Errorf("%v came out as %v, error %v", whole, again, err)
		}
	})
}

// other is a client of rmw_cyclonedds that tells which replies it is given, whomever they are for.
func other(n ros.Endpoints) {
	given := must(n.NewWriter("/given", "std_msgs/msg/String", ros.Default, nil))
	must(n.(*node).t.newEndpoint(nil, replyTopic("/served"), "std_srvs/srv/Trigger_Response",
		offer{QoS: ros.Calls},
		func(r received) {
			for given.Matched() == 0 {
				time.Sleep(5 * time.Millisecond)
			}
			given.Write(r.payload)
		}, nil))
}

// What is for rmw_fastrtps has no header before its fields: rmw_cyclonedds would misread it.
func TestRepliesToFastDDSDoNotReachCycloneDDS(t *testing.T) {
	start(t, "other", testDomain)
	_, n := join(t, testDomain)
	given := make(chan byte, 100)
	must(n.NewReader("/given", "std_msgs/msg/String", ros.Default,
		func(s ros.Sample) { given <- s.Payload[encapsulation] }, nil))
	r := must(n.NewResponder("/served", "std_srvs/srv/Trigger", func(ros.Request) {}))
	replies := r.(*server).replies
	eventually(t, "the other is found", func() bool { return replies.Matched() > 0 })
	for i := range byte(20) {
		payload := append([]byte{0, 1, 0, 0, i}, make([]byte, 200_000*int(i%4/2))...)
		var related *identity
		if i%2 == 0 {
			related = &identity{reader: gid{1, 15, 3}, number: 7}
		}
		must(0, replies.write(payload, related))
	}
	for want := byte(1); want < 20; want += 2 {
		if got := rostest.Receive(t, "a reply", given); got != want {
			t.Fatalf("it is given reply %d, want %d", got, want)
		}
	}
}
