package dds

import (
	"strings"
	"testing"

	"stripswm/msgs"
	"stripswm/nodes/ros"
)

// The hashes are those that ROS 2 Jazzy's own packages have.
func TestTypeHashes(t *testing.T) {
	const compressed, event = "sensor_msgs/msg/CompressedImage", "rcl_interfaces/msg/ParameterEvent"
	for want, rosType := range map[string]string{
		"df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18": "std_msgs/msg/String",
		"f49fb3ae2cf070f793645ff749683ac6b06203e41c891e17701b1cb597ce6a01": "std_msgs/msg/Header",
		"d31d41a9a4c4bc8eae9be757b0beed306564f7526c88ea6a4588fb9582527d47": "sensor_msgs/msg/Image",
		"15640771531571185e2efc8a100baf923961a4d15d5569652e6cb6691e8e371a": compressed,
		"e28ce254ca8abc06abf92773b74602cdbf116ed34fbaf294fb9f81da9f318eac": "rcl_interfaces/msg/Log",
		"043e627780fcad87a22d225bc2a037361dba713fca6a6b9f4b869a5aa0393204": event,
	} {
		if got := typeHash(rosType); got != "RIHS01_"+want {
			t.Errorf("%s: %s, want RIHS01_%s", rosType, got, want)
		}
	}
}

func TestEveryMessageHasAHash(t *testing.T) {
	for _, rosType := range msgs.Types() {
		if got := typeHash(rosType); strings.Contains(rosType, "/msg/") && len(got) != 71 {
			t.Errorf("%s: hash %q", rosType, got)
		}
	}
	if got := typeHash("no_msgs/msg/None"); got != "" {
		t.Errorf("a type that does not exist has the hash %s", got)
	}
}

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
	if got, _ := in.writerKey(in.matchedWriters()[0], "typehash"); got != typeHash(
		"std_msgs/msg/String") {
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
	if got == "" || asked == "" || got == asked || got != typeHash(trigger+"_Response") ||
		asked != typeHash(trigger+"_Request") {
		t.Errorf("the server tells %q of replies and %q of requests", got, asked)
	}
}

func TestFieldsAreDescribed(t *testing.T) {
	for typ, want := range map[string]string{
		"string<=255":     `{"type_id": 21, "capacity": 0, "string_capacity": 255, "nested_type_name": ""}`,
		"float64[9]":      `{"type_id": 59, "capacity": 9, "string_capacity": 0, "nested_type_name": ""}`,
		"float64[<=9]":    `{"type_id": 107, "capacity": 9, "string_capacity": 0, "nested_type_name": ""}`,
		"uint8[]":         `{"type_id": 147, "capacity": 0, "string_capacity": 0, "nested_type_name": ""}`,
		"string<=5[<=10]": `{"type_id": 117, "capacity": 10, "string_capacity": 5, "nested_type_name": ""}`,
		"Point[]":         `{"type_id": 145, "capacity": 0, "string_capacity": 0, "nested_type_name": "geo/msg/Point"}`,
		"other/Point":     `{"type_id": 1, "capacity": 0, "string_capacity": 0, "nested_type_name": "other/msg/Point"}`,
	} {
		got, err := describeField("x", typ, "geo")
		if err != nil || got != `{"name": "x", "type": `+want+`}` {
			t.Errorf("%s: %s, %v", typ, got, err)
		}
	}
	if _, err := describeField("x", "int8{}", "geo"); err == nil {
		t.Error("int8{} is no type, and was taken")
	}
}
