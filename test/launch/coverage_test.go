package launch

import (
	"fmt"
	"slices"
	"syscall"
	"testing"

	"stripswm/models/strips"
	"stripswm/nodes/sim"
)

// TestCoverageWhileRecording watches on /diagnostics how the recorder, given a
// bundle, counts the states seen and names the actions never tried.
func TestCoverageWhileRecording(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	s.start("simrig", quick...)
	recorder := s.start("recorder", "directory:="+t.TempDir()+"/bag", "bundle:="+bundleDir,
		"settle:=0.05", "min_free:=1")
	said := s.diagnosticsOfRecorder()
	world := must(sim.New("blocksworld"))
	graph, user := sim.GroundTruth(world), s.operate()
	at := sim.State(s.state())
	seen := map[sim.State]bool{}
	untried := []uint32{}
	for a := range world.NumActions() {
		untried = append(untried, uint32(a+1))
	}
	counts := func(attempts, refused int) {
		t.Helper()
		want := map[string]string{
			"transitions": fmt.Sprint(attempts), "refused": fmt.Sprint(refused),
			"states seen":         fmt.Sprintf("%d of 16", len(seen)),
			"actions never tried": fmt.Sprint(untried), "images of no known state": "0",
		}
		s.await(said, fmt.Sprint(want), func(got map[string]string) bool {
			for key, value := range want {
				if got[key] != value {
					return false
				}
			}
			return true
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
	recorder.Stop(syscall.SIGTERM)
}
