package dds

import (
	"sync"
	"testing"

	"stripswm/nodes/ros"
)

// A node that was started where ROS 2 is not sourced does not know which layout is read here. One
// that reads Humble's and has said nothing yet reads all that the node ever publishes, also what it
// publishes before it has heard anybody.
func TestPlainTerminalSpeaksHumbleFirst(t *testing.T) {
	silent, err := Open(loopback(testDomain), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	var mu sync.Mutex
	var published [][]byte
	all := discoveryQoS
	all.KeepAll = true
	r, err := newReader(silent.participant, silent.loop, "ros_discovery_info",
		typeName(discoveryType), offer{QoS: all}, func(r received) {
			mu.Lock()
			defer mu.Unlock()
			published = append(published, append([]byte{}, r.payload...))
		}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	count := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(published)
	}

	_, n := join(t, testDomain)
	eventually(t, "the node is published", func() bool { return count() > 0 })
	for range 3 {
		if _, err := n.NewWriter("/word", "std_msgs/msg/String", ros.Default, nil); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "its topics are published", func() bool { return count() > 3 })
	mu.Lock()
	defer mu.Unlock()
	for i, payload := range published {
		info, err := decodeDiscovery(payload, humbleGID)
		if err != nil || len(info.nodes) != 1 || info.nodes[0].name.Name == "" {
			t.Errorf("Humble reads publication %d of %d as %+v, %v", i+1, len(published), info, err)
		}
	}
}
