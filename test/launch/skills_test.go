package launch

import (
	"fmt"

	"stripswm/models/strips"
	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/test/internal/process"
)

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
