package launch

import (
	"fmt"
	"slices"
	"syscall"
	"testing"

	"stripswm/models/strips"
	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/sim"
)

// TestCoverageWhileRecording watches on /diagnostics how the recorder, given a
// bundle, counts the states seen and names the actions never tried.
func TestCoverageWhileRecording(t *testing.T) {
	s := newSystem(t)
	s.start("simrig", quick...)
	recorder := s.start("recorder", "directory:="+t.TempDir()+"/bag", "bundle:="+bundleDir, "settle:=0.05", "min_free:=1")
	heard := make(chan map[string]string, 100)
	if _, err := ros.Subscribe(s.node, "/diagnostics", ros.QoS{Depth: 100}, func(m *msgs.DiagnosticArray, _ ros.Info) {
		for _, status := range m.Status {
			values := map[string]string{}
			for _, v := range status.Values {
				values[v.Key] = v.Value
			}
			if _, recording := values["transitions"]; recording {
				heard <- values
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	// await waits until the recorder says all of this.
	await := func(want map[string]string) {
		t.Helper()
		for ctx, last := s.patience(), map[string]string(nil); ; {
			select {
			case last = <-heard:
				all := true
				for key, value := range want {
					all = all && last[key] == value
				}
				if all {
					return
				}
			case <-ctx.Done():
				t.Fatalf("the recorder says %v, want %v", last, want)
			}
		}
	}
	world, err := sim.New("blocksworld")
	if err != nil {
		t.Fatal(err)
	}
	graph, user := sim.GroundTruth(world), s.operate()
	at := sim.State(s.state())
	seen := map[sim.State]bool{}
	untried := []uint32{}
	for a := range world.NumActions() {
		untried = append(untried, uint32(a+1))
	}
	counts := func(attempts, refused int) {
		t.Helper()
		await(map[string]string{
			"transitions": fmt.Sprint(attempts), "refused": fmt.Sprint(refused), "states seen": fmt.Sprintf("%d of 16", len(seen)),
			"actions never tried": fmt.Sprint(untried), "pictures of no known state": "0",
		})
	}
	try := func(a strips.ActionID) {
		t.Helper()
		user.try(a)
		untried = slices.DeleteFunc(untried, func(b uint32) bool { return b == uint32(a) })
		seen[at] = true
	}
	counts(0, 0)
	place := strips.ActionID(world.NumActions()) // with nothing in the gripper
	try(place)
	counts(1, 1)
	for i := range 6 {
		out := graph.Out(at)
		edge := out[i%len(out)]
		try(edge.Action)
		at = edge.To
		seen[at] = true
		counts(i+2, 1)
	}
	recorder.stop(syscall.SIGTERM)
}
