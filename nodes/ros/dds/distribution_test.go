package dds

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"stripswm/msgs"
	"stripswm/nodes/ros"
)

// TestDistributions has a node of each distribution publish its node and a topic, and looks at what
// is on the wire.
func TestDistributions(t *testing.T) {
	text, err := os.ReadFile("../../../docs/ros2.md")
	if err != nil {
		t.Fatal(err)
	}
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
			tr, err := Open(c, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer tr.Close()
			n, err := tr.AddNode(ros.NodeName{Namespace: "/", Name: "of_" + d.name})
			if err != nil {
				t.Fatal(err)
			}
			w, err := n.NewWriter("/word", "std_msgs/msg/String", ros.Default, nil)
			if err != nil {
				t.Fatal(err)
			}
			other, heard := join(t, testDomain)
			r, err := heard.NewReader("/word", "std_msgs/msg/String", ros.Default, func(ros.Sample) {}, nil)
			if err != nil {
				t.Fatal(err)
			}
			eventually(t, "the topic and the node are found", func() bool {
				return w.Matched() == 1 && r.Matched() == 1 && len(other.Nodes()) == 2
			})
			in := r.(*reader)
			hash, _ := in.writerKey(in.matchedWriters()[0], "typehash")
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
