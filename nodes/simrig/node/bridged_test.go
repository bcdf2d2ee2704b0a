package node_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"stripswm/msgs"
	"stripswm/nodes/ros"
)

// stage stands where ros_gz_bridge would: it knows where everything was put.
type stage struct {
	mu     sync.Mutex
	at     map[string]msgs.Pose
	moves  int
	refuse bool
}

func newStage(t *testing.T, n *ros.Node) *stage {
	t.Helper()
	s := &stage{at: map[string]msgs.Pose{}}
	must(0, ros.Serve(n, "/world/blocksworld/set_pose",
		func(_ context.Context, q *msgs.SetEntityPoseRequest) *msgs.SetEntityPoseResponse {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.at[q.Entity.Name] = q.Pose
			s.moves++
			return &msgs.SetEntityPoseResponse{Success: !s.refuse && q.Entity.Type == msgs.EntityModel}
		}))
	return s
}

func (s *stage) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.moves
}

// TestGazebo picks the uppermost block and puts it back: only what moved is moved, and all is as
// before afterwards.
func TestBridged(t *testing.T) {
	n := rigged(t, "world_backend:=ros_gz", "skill_duration:=0.02")
	s := newStage(t, n)
	skills := must(ros.NewActionClient[goal, feedback, result](n, "/execute_skill"))
	run := func(action uint32) result {
		t.Helper()
		g := must(skills.Send(soon(t), &msgs.ExecuteSkillGoal{Action: action}, nil))
		res, _, err := g.Result(soon(t))
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	if res := trigger(n, "reset"); !res.Success {
		t.Fatal(res.Message)
	}
	const bodies = 3 + 8 // blocks and parts of the gripper
	initial := map[string]msgs.Pose{}
	for name, pose := range s.at {
		initial[name] = pose
	}
	if s.count() != bodies || len(initial) != bodies {
		t.Errorf("%d moves of %d bodies at first", s.count(), len(initial))
	}
	if top := s.at["body_02"].Position; top != (msgs.Point{X: -0.15, Z: 0.125}) {
		t.Errorf("the uppermost block is at %v", top)
	}
	if res := run(3); res.Outcome != msgs.ExecuteSkillResultSucceeded {
		t.Fatal(res.Message)
	}
	if top := s.at["body_02"].Position; top.X != 0 || top.Z < 0.2 {
		t.Errorf("the block picked is at %v", top)
	}
	moved := s.count() - bodies
	if res := run(3); res.Outcome != msgs.ExecuteSkillResultRefused || s.count() != bodies+moved ||
		moved != 1+6 {
		t.Errorf(
			"refused: outcome %d; %d bodies were moved, then %d; want the block and six parts of the "+
				"fingers", res.Outcome, moved, s.count()-bodies-moved)
	}
	if run(12); s.count() != bodies+2*moved {
		t.Errorf("%d moves back of %d", s.count()-bodies-moved, moved)
	}
	for name, pose := range s.at {
		if pose != initial[name] {
			t.Errorf("%s is at %v, was at %v", name, pose, initial[name])
		}
	}
	s.refuse = true
	if res := run(3); res.Outcome != msgs.ExecuteSkillResultFailed ||
		!strings.Contains(res.Message, "refuses to move") {
		t.Errorf("gazebo refuses: %+v", res)
	}
}
