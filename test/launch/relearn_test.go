package launch

import (
	"encoding/json"
	"testing"

	"stripswm/msgs"
	"stripswm/nodes/learn/incremental"
	"stripswm/nodes/ros"
	"stripswm/nodes/sim"
)

// TestRelearnWhileRecording runs skills on the rig while the recorder records and
// the learner relearns the operators with each transition, and improves them at last.
func TestRelearnWhileRecording(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	bag := t.TempDir() + "/bag"
	s.start("simrig", quick...)
	s.start("recorder", "directory:="+bag, "settle:=0.05", "min_free:=1")
	s.start("learner", "encoder:="+bundleDir)
	updates := make(chan string, 1000)
	if _, err := ros.Subscribe(s.node, "/learner/model", ros.Latched,
		func(m *msgs.String, _ ros.Info) { updates <- m.Data }); err != nil {
		t.Fatal(err)
	}
	user := s.operate()
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
		if outcome, _ := user.try(edge.Action); outcome != msgs.ExecuteSkillResultSucceeded {
			t.Fatalf("skill %d: outcome %d", edge.Action, outcome)
		}
		edges[edge], at = true, edge.To
	}
	for ctx := s.patience(); ; {
		select {
		case text := <-updates:
			var u incremental.Update
			if err := json.Unmarshal([]byte(text), &u); err != nil {
				t.Fatal(err)
			}
			if u.Attempts < attempts || !u.Improved {
				continue
			}
			if u.Edges != len(edges) || u.Xi != 0 || u.Predicates == 0 {
				t.Errorf("%s: want %d edges without slack", text, len(edges))
			}
			t.Logf("%d attempts, %d states, %d edges, m %d, eta %d, %d actions untried; improved in %.0f ms",
				u.Attempts, u.States, u.Edges, u.Predicates, u.Eta, len(u.Untried), 1e3*u.Seconds)
			return
		case <-ctx.Done():
			t.Fatal("the learner has not heard of all attempts")
		}
	}
}
