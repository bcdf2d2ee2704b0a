package dds

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stripswm/msgs"
	"stripswm/nodes/ros"
)

func TestConfigFromEnvironment(t *testing.T) {
	tests := []struct {
		name string
		env  map[string]string
		want Config
	}{
		{"nothing set is ROS 2's default", nil, Config{}},
		{"a domain", map[string]string{"ROS_DOMAIN_ID": "42"}, Config{Domain: 42}},
		{"localhost only, as up to Humble", map[string]string{"ROS_LOCALHOST_ONLY": "1"},
			Config{Range: Localhost}},
		{"localhost only, as from Iron on",
			map[string]string{"ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST"}, Config{Range: Localhost}},
		{"both: the older one decides", map[string]string{"ROS_LOCALHOST_ONLY": "1",
			"ROS_AUTOMATIC_DISCOVERY_RANGE": "SUBNET"}, Config{Range: Localhost}},
		{"off, with peers", map[string]string{"ROS_AUTOMATIC_DISCOVERY_RANGE": "OFF",
			"ROS_STATIC_PEERS": "10.0.0.2; rig.local;"},
			Config{Range: Off, Peers: []string{"10.0.0.2", "rig.local"}}},
		{"the system's", map[string]string{"ROS_AUTOMATIC_DISCOVERY_RANGE": "system_default",
			"CYCLONEDDS_URI": "file:///etc/dds.xml"},
			Config{Range: System, Extra: "file:///etc/dds.xml"}},
		{"CycloneDDS", map[string]string{"RMW_IMPLEMENTATION": "rmw_cyclonedds_cpp"}, Config{}},
		{"Fast DDS", map[string]string{"RMW_IMPLEMENTATION": "rmw_fastrtps_cpp"}, Config{}},
		{"a distribution", map[string]string{"ROS_DISTRO": "humble"}, Config{Distro: "humble"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := must(configFrom(func(k string) string { return tt.env[k] }, ""))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestConfigNamesTheVariableThatIsWrong(t *testing.T) {
	for name, value := range map[string]string{
		"RMW_IMPLEMENTATION":            "rmw_zenoh_cpp",
		"ROS_DOMAIN_ID":                 "rig",
		"ROS_LOCALHOST_ONLY":            "yes",
		"ROS_AUTOMATIC_DISCOVERY_RANGE": "HOUSE",
	} {
		_, err := configFrom(func(k string) string {
			if k == name {
				return value
			}
			return ""
		}, "")
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), value) {
			t.Errorf("%s=%s: error %v does not say so", name, value, err)
		}
	}
	if _, err := Open(Config{Domain: 233}, nil); err == nil {
		t.Error("domain 233 has no ports, and opens")
	}
}

func TestConfigXML(t *testing.T) {
	tests := []struct {
		name      string
		config    Config
		has, lack []string
	}{
		{"the subnet is left to the library", Config{}, nil, []string{"Interface", "Peer", "Multicast"}},
		{"loopback", Config{Range: Localhost}, []string{`address="127.0.0.1"`, `<ParticipantIndex>auto<`}, nil},
		{"an interface by name", Config{Interface: "eth0"}, []string{`NetworkInterface name="eth0"`}, nil},
		{"an interface by address", Config{Interface: "10.0.0.2"}, []string{`NetworkInterface address="10.0.0.2"`}, nil},
		{"peers besides", Config{Peers: []string{`a"b`}}, []string{`<Peer address="a&quot;b"/>`}, []string{"Multicast", "127.0.0.1"}},
		{"nobody", Config{Range: Off, Peers: []string{"a"}}, []string{`NetworkInterface address="127.0.0.1"`, `<AllowMulticast>false<`, "<Tag>off "}, []string{"Peer address"}},
		{"the user's words decide", Config{Range: Localhost, Peers: []string{"a"}, Extra: "file:///x"},
			[]string{",file:///x"}, []string{"General", "Discovery"}},
		{"the system's", Config{Range: System, Extra: "x"}, []string{",x"},
			[]string{"General", "Discovery"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			xml := tt.config.xml()
			for _, s := range tt.has {
				if !strings.Contains(xml, s) {
					t.Errorf("%q is not in %s", s, xml)
				}
			}
			for _, s := range tt.lack {
				if strings.Contains(xml, s) {
					t.Errorf("%q is in %s", s, xml)
				}
			}
		})
	}
}

// TestDistributions has a node of each distribution publish its node and a topic, and looks at what
// is on the wire.
func TestDistributions(t *testing.T) {
	text := must(os.ReadFile("../../../docs/ros2.md"))
	yes := map[bool]string{true: "yes", false: "no"}
	for _, d := range distributions {
		t.Run(d.name, func(t *testing.T) {
			row := fmt.Sprintf("| %s | %d bytes | %s | %s | %s |", strings.ToUpper(d.name[:1])+d.name[1:],
				d.gid, yes[d.hashes], yes[d.introspection], d.checked)
			if !strings.Contains(string(text), row) {
				t.Errorf("docs/ros2.md lacks the row %s", row)
			}
			c := loopback(testDomain)
			c.Distro = d.name
			tr := must(Open(c, nil))
			defer tr.Close()
			n := must(tr.AddNode(ros.NodeName{Namespace: "/", Name: "of_" + d.name}))
			w := must(n.NewWriter("/word", "std_msgs/msg/String", ros.Default, nil))
			other, heard := join(t, testDomain)
			r := must(heard.NewReader("/word", "std_msgs/msg/String", ros.Default, func(ros.Sample) {},
				nil))
			eventually(t, "the topic and the node are found", func() bool {
				return w.Matched() == 1 && r.Matched() == 1 && len(other.Nodes()) == 2
			})
			hash := r.(*endpoint).matches()[0].key("typehash")
			if want := msgs.TypeHash("std_msgs/msg/String"); d.hashes != (hash == want) {
				t.Errorf("the topic tells the hash %q", hash)
			}
			other.graph.mu.Lock()
			defer other.graph.mu.Unlock()
			if p := other.graph.peers[tr.guid()]; p.gidSize != d.gid || p.adapts {
				t.Errorf("gids of %d bytes, want %d; adapts: %v", p.gidSize, d.gid, p.adapts)
			}
		})
	}
}

func TestDistributionOfAName(t *testing.T) {
	for name, want := range map[string]struct {
		gid    int
		hashes bool
	}{
		"": {humbleGID, true}, "galactic": {humbleGID, false}, "humble": {humbleGID, false},
		"jazzy": {ironGID, true}, "zzz": {ironGID, true},
	} {
		if d := distributionOf(name); d.gid != want.gid || d.hashes != want.hashes {
			t.Errorf("%q: %+v, want %+v", name, d, want)
		}
	}
}

// A node that was started where ROS 2 is not sourced does not know which layout is read here. One
// that reads Humble's and has said nothing yet reads all that the node ever publishes, also what it
// publishes before it has heard anybody.
func TestPlainTerminalSpeaksHumbleFirst(t *testing.T) {
	silent := must(Open(loopback(testDomain), nil))
	defer silent.Close()
	var mu sync.Mutex
	var published [][]byte
	all := discoveryQoS
	all.KeepAll = true
	r := must(silent.newEndpoint(nil, "ros_discovery_info", discoveryType, offer{QoS: all},
		func(r received) {
			mu.Lock()
			defer mu.Unlock()
			published = append(published, append([]byte{}, r.payload...))
		}, nil))
	defer r.Close()
	count := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(published)
	}

	_, n := join(t, testDomain)
	eventually(t, "the node is published", func() bool { return count() > 0 })
	for range 3 {
		must(n.NewWriter("/word", "std_msgs/msg/String", ros.Default, nil))
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

func TestServicesTellTheHashOfTheirTypes(t *testing.T) {
	_, n := join(t, testDomain)
	const trigger = "std_srvs/srv/Trigger"
	must(n.NewResponder("/hashed", trigger, func(ros.Request) {}))
	c := must(n.NewCaller("/hashed", trigger, func(ros.Reply) {}))
	eventually(t, "the server is found", c.Ready)
	own := c.(*client)
	got, asked := own.replies.matches()[0].key("typehash"), own.requests.matches()[0].key("typehash")
	if got == "" || asked == "" || got == asked || got != msgs.TypeHash(trigger+"_Response") ||
		asked != msgs.TypeHash(trigger+"_Request") {
		t.Errorf("the server tells %q of replies and %q of requests", got, asked)
	}
}
