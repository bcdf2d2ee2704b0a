package dds

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
			got, err := configFrom(func(k string) string { return tt.env[k] }, "")
			if err != nil {
				t.Fatal(err)
			}
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
