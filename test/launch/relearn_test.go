package launch

import (
	"encoding/json"
	"testing"

	"stripswm/msgs"
	"stripswm/nodes/learner/incremental"
	"stripswm/nodes/ros"
	"stripswm/nodes/sim"
)

// TestRelearnWhileRecording runs skills on the rig while the recorder records and
// the learner relearns the operators with each transition.
func TestRelearnWhileRecording(t *testing.T) {
	s := newSystem(t)
	bag := t.TempDir() + "/bag"
	s.start("simrig", quick...)
	s.start("recorder", "directory:="+bag, "settle:=0.05", "min_free:=1")
	s.start("learner", "encoder:="+bundleDir)
	updates := make(chan string, 1000)
	if _, err := ros.Subscribe(s.node, "/learner/model", ros.Latched, func(m *msgs.String, _ ros.Info) { updates <- m.Data }); err != nil {
		t.Fatal(err)
	}
	acknowledged := make(chan *msgs.Transition, 1000)
	transitions, err := ros.Subscribe(s.node, "/transitions", ros.QoS{Depth: 100}, func(m *msgs.Transition, _ ros.Info) { acknowledged <- m })
	if err != nil {
		t.Fatal(err)
	}
	if err := transitions.WaitForPublishers(s.patience(), 1); err != nil {
		t.Fatal(err)
	}
	skills, err := ros.NewActionClient[*msgs.ExecuteSkillGoal, *msgs.ExecuteSkillFeedback, *msgs.ExecuteSkillResult](s.node, "execute_skill")
	if err != nil {
		t.Fatal(err)
	}
	world, err := sim.New("blocksworld")
	if err != nil {
		t.Fatal(err)
	}
	const attempts = 12
	edges, at := map[sim.Edge]bool{}, sim.State(s.state())
	graph := sim.GroundTruth(world)
	for i := range attempts {
		out := graph.Out(at)
		edge := out[i%len(out)]
		goal, err := skills.Send(s.patience(), &msgs.ExecuteSkillGoal{Action: uint32(edge.Action)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, status, err := goal.Result(s.patience()); err != nil || status != ros.GoalSucceeded {
			t.Fatalf("skill %d: %v, %v", edge.Action, status, err)
		}
		edges[edge], at = true, edge.To
		select {
		case <-acknowledged:
		case <-s.patience().Done():
			t.Fatalf("transition %d was not acknowledged", i)
		}
	}
	for ctx := s.patience(); ; {
		select {
		case text := <-updates:
			var u incremental.Update
			if err := json.Unmarshal([]byte(text), &u); err != nil {
				t.Fatal(err)
			}
			if u.Attempts < attempts {
				continue
			}
			if u.Edges != len(edges) || u.Xi != 0 || u.Predicates == 0 {
				t.Errorf("%s: want %d edges without slack", text, len(edges))
			}
			t.Logf("%d attempts, %d states, %d edges, m %d, eta %d, %d actions untried; relearned in %.0f ms", u.Attempts, u.States, u.Edges, u.Predicates, u.Eta, len(u.Untried), 1e3*u.Seconds)
			return
		case <-ctx.Done():
			t.Fatal("the learner has not heard of all attempts")
		}
	}
}
