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
	"stripswm/test/internal/process"
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

// operator runs skills on the rig as somebody at a panel would, each when the
// recorder has acknowledged the one before.
type operator struct {
	*system
	skills *ros.ActionClient[*msgs.ExecuteSkillGoal, *msgs.ExecuteSkillFeedback,
		*msgs.ExecuteSkillResult]
	acknowledged chan *msgs.Transition
}

// operate expects a rig and a recorder to run, and waits until the recorder sees.
func (s *system) operate() *operator {
	s.t.Helper()
	o := &operator{system: s, acknowledged: make(chan *msgs.Transition, 1000)}
	transitions := must(ros.Subscribe(s.node, "/transitions", ros.QoS{Depth: 100},
		func(m *msgs.Transition, _ ros.Info) { o.acknowledged <- m }))
	must(0, transitions.WaitForPublishers(s.patience(), 1))
	s.await(s.diagnosticsOfRecorder(), "images", func(said map[string]string) bool {
		return said["images received"] != "0"
	})
	o.skills = must(ros.NewActionClient[*msgs.ExecuteSkillGoal, *msgs.ExecuteSkillFeedback,
		*msgs.ExecuteSkillResult](s.node, "execute_skill"))
	return o
}

// try runs a skill and returns how it ended and what was recorded of it.
func (o *operator) try(a strips.ActionID) (outcome uint8, recorded *msgs.Transition) {
	o.t.Helper()
	goal := must(o.skills.Send(o.patience(), &msgs.ExecuteSkillGoal{Action: uint32(a)}, nil))
	result, _, err := goal.Result(o.patience())
	if err != nil {
		o.t.Fatal(err)
	}
	return result.Outcome,
		process.Receive(o.t, fmt.Sprintf("a transition of action %d, which ended with outcome %d", a,
			result.Outcome), o.acknowledged)
}

// diagnosticsOfRecorder are the values that the recorder publishes, twice a second.
func (s *system) diagnosticsOfRecorder() <-chan map[string]string {
	s.t.Helper()
	said := make(chan map[string]string, 100)
	must(ros.Subscribe(s.node, "/diagnostics", ros.QoS{Depth: 100},
		func(m *msgs.DiagnosticArray, _ ros.Info) {
			for _, status := range m.Status {
				values := map[string]string{}
				for _, v := range status.Values {
					values[v.Key] = v.Value
				}
				if _, recording := values["transitions"]; recording {
					select {
					case said <- values:
					default: // nobody listens any more
					}
				}
			}
		}))
	return said
}

// await waits until what is said fits.
func (s *system) await(said <-chan map[string]string, want string,
	fits func(map[string]string) bool,
) {
	s.t.Helper()
	for ctx, last := s.patience(), map[string]string(nil); ; {
		select {
		case last = <-said:
			if fits(last) {
				return
			}
		case <-ctx.Done():
			s.t.Fatalf("the last that was said is %v; want %s", last, want)
		}
	}
}
