package recorder

import (
	"strconv"
	"testing"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/dds"
	"stripswm/nodes/ros/rostest"
	"stripswm/test/internal/process"
)

type (
	goal     = *msgs.ExecuteSkillGoal
	feedback = *msgs.ExecuteSkillFeedback
	result   = *msgs.ExecuteSkillResult
)

// A peer is the test's own node: it sends skills, hears of transitions and calls services.
type peer struct {
	t           *testing.T
	node        *ros.Node
	skills      *ros.ActionClient[goal, feedback, result]
	transitions chan *msgs.Transition
	diagnostics chan *msgs.DiagnosticArray
}

func join(t *testing.T, domain int) *peer {
	t.Helper()
	tr := must(dds.Open(dds.Config{Domain: domain, Range: dds.Localhost}, nil))
	t.Cleanup(func() { tr.Close() })
	n := rostest.Node(t, tr, "tester", t.Output())
	p := &peer{t: t, node: n, transitions: make(chan *msgs.Transition, 10000),
		diagnostics: make(chan *msgs.DiagnosticArray, 100)}
	p.skills = must(ros.NewActionClient[goal, feedback, result](n, "execute_skill"))
	sub := must(ros.Subscribe(n, "transitions", ros.QoS{Depth: 1000},
		func(m *msgs.Transition, _ ros.Info) { p.transitions <- m }))
	must(ros.Subscribe(n, "/diagnostics", ros.QoS{Depth: 100}, func(m *msgs.DiagnosticArray,
		_ ros.Info) {
		select {
		case p.diagnostics <- m:
		default: // nobody asks
		}
	}))
	if err := sub.WaitForPublishers(process.Soon(t), 1); err != nil {
		t.Fatal("no recorder: ", err)
	}
	return p
}

// run executes a skill to its end.
func (p *peer) run(action uint32) result {
	p.t.Helper()
	g := must(p.skills.Send(process.Soon(p.t), &msgs.ExecuteSkillGoal{Action: action}, nil))
	res, status, err := g.Result(process.Soon(p.t))
	if err != nil {
		p.t.Fatalf("action %d: %v", action, err)
	}
	if (status == ros.GoalSucceeded) != (res.Outcome == msgs.ExecuteSkillResultSucceeded) {
		p.t.Errorf("action %d: goal %s, outcome %d", action, status, res.Outcome)
	}
	return res
}

// recorded waits for the next transition that the recorder acknowledges.
func (p *peer) recorded() *msgs.Transition {
	p.t.Helper()
	return process.Receive(p.t, "a transition that was recorded", p.transitions)
}

// traffic is how many images rig and recorder have counted.
type traffic struct{ published, skipped, received, dropped int }

// traffic holds the camera for as long as both need to say so.
func (p *peer) traffic() traffic {
	p.t.Helper()
	p.toggle("/simrig/dropout", true)
	defer p.toggle("/simrig/dropout", false)
	time.Sleep(500 * time.Millisecond) // images on the way arrive
	for len(p.diagnostics) > 0 {
		<-p.diagnostics
	}
	seen := map[string]string{}
	for soon := process.Soon(p.t); seen["images published"] == "" || seen["images received"] == ""; {
		select {
		case m := <-p.diagnostics:
			for _, s := range m.Status {
				for _, v := range s.Values {
					seen[v.Key] = v.Value
				}
			}
		case <-soon.Done():
			p.t.Fatalf("no diagnostics of both nodes: %v", seen)
		}
	}
	number := func(key string) int { return must(strconv.Atoi(seen[key])) }
	return traffic{number("images published"), number("ticks skipped"), number("images received"),
		number("images dropped")}
}

// trigger calls a std_srvs/Trigger and returns its message.
func (p *peer) trigger(service string) (bool, string) {
	p.t.Helper()
	res := rostest.Call[*msgs.TriggerResponse](p.node, service, &msgs.TriggerRequest{})
	return res.Success, res.Message
}

func (p *peer) toggle(service string, on bool) {
	p.t.Helper()
	if res := rostest.Call[*msgs.SetBoolResponse](p.node, service,
		&msgs.SetBoolRequest{Data: on}); !res.Success {
		p.t.Fatalf("%s: %v", service, res)
	}
}

// set changes a parameter of the rig.
func (p *peer) set(name string, value float64) {
	p.t.Helper()
	v := msgs.ParameterValue{Type: msgs.ParameterTypeParameterDouble, DoubleValue: value}
	res := rostest.Call[*msgs.SetParametersResponse](p.node, "/simrig/set_parameters",
		&msgs.SetParametersRequest{Parameters: []msgs.Parameter{{Name: name, Value: v}}})
	if len(res.Results) != 1 || !res.Results[0].Successful {
		p.t.Fatalf("set %s: %v", name, res)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
