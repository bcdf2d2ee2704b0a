package node_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"stripswm/msgs"
	"stripswm/nodes/cvbridge"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/rostest"
	"stripswm/nodes/simrig/node"
)

type (
	goal     = *msgs.ExecuteSkillGoal
	feedback = *msgs.ExecuteSkillFeedback
	result   = *msgs.ExecuteSkillResult
)

// rigged starts a rig with parameters, and a node beside it.
func rigged(t *testing.T, parameters ...string) *ros.Node {
	t.Helper()
	bus := rostest.NewBus()
	must(node.New(rostest.Node(t, bus.Join(), "simrig", io.Discard,
		append([]string{"rate:=100.0", "width:=32", "height:=32"}, parameters...)...)))
	return rostest.Node(t, bus.Join(), "tester", io.Discard)
}

// trigger calls a service of the rig.
func trigger(n *ros.Node, name string) *msgs.TriggerResponse {
	return rostest.Call[*msgs.TriggerResponse](n, "/simrig/"+name, &msgs.TriggerRequest{})
}

func TestStatusesOfASkill(t *testing.T) {
	n := rigged(t, "skill_duration:=0.15")
	statuses := make(chan *msgs.SkillStatus, 100)
	must(ros.Subscribe(n, "/skill_status", ros.Default, func(m *msgs.SkillStatus, _ ros.Info) {
		statuses <- m
	}))
	c := must(ros.NewActionClient[goal, feedback, result](n, "/execute_skill"))
	for _, run := range []struct {
		action uint32
		ends   uint8
	}{{3, msgs.SkillStatusSucceeded}, {3, msgs.SkillStatusRefused}} {
		g := must(c.Send(soon(t), &msgs.ExecuteSkillGoal{Action: run.action}, nil))
		if res, status, err := g.Result(soon(t)); err != nil ||
			(status == ros.GoalSucceeded) != (run.ends == msgs.SkillStatusSucceeded) ||
			res.Started.IsZero() {
			t.Errorf("%+v %v %v", res, status, err)
		}
		var phases []uint8
		for m := range statuses {
			if m.Phase == msgs.SkillStatusIdle {
				continue
			}
			if m.ExecutionID != g.ID || m.Action != run.action {
				t.Errorf("%+v", m)
			}
			if phases = append(phases, m.Phase); m.Phase > msgs.SkillStatusRunning {
				break
			}
		}
		if phases[0] != msgs.SkillStatusStarted || phases[len(phases)-1] != run.ends {
			t.Errorf("phases %v, want %d at the end", phases, run.ends)
		}
	}
}

func TestOneSkillAtATime(t *testing.T) {
	n := rigged(t, "skill_duration:=600.0")
	c := must(ros.NewActionClient[goal, feedback, result](n, "/execute_skill"))
	if _, err := c.Send(soon(t), &msgs.ExecuteSkillGoal{}, nil); !errors.Is(err, ros.ErrRejected) {
		t.Errorf("action 0: %v", err)
	}
	progress := make(chan float32, 1000)
	g := must(c.Send(soon(t), &msgs.ExecuteSkillGoal{Action: 3},
		func(f feedback) { progress <- f.Progress }))
	if p := <-progress; p < 0 || p > 0.5 {
		t.Errorf("progress %f", p)
	}
	if _, err := c.Send(soon(t), &msgs.ExecuteSkillGoal{Action: 3}, nil); !errors.Is(err,
		ros.ErrRejected) {
		t.Errorf("a second skill: %v", err)
	}
	if err := g.Cancel(soon(t)); err != nil {
		t.Fatal(err)
	}
	if res, status, err := g.Result(soon(t)); err != nil || status != ros.GoalCanceled ||
		res.Outcome != msgs.ExecuteSkillResultFailed {
		t.Errorf("canceled: %+v %v %v", res, status, err)
	}
}

func TestImages(t *testing.T) {
	n := rigged(t)
	raw, compressed, info := make(chan *msgs.Image, 1000), make(chan *msgs.CompressedImage,
		1000), make(chan *msgs.CameraInfo, 1000)
	must(ros.Subscribe(n, "/camera/image_raw", ros.SensorData, func(m *msgs.Image, _ ros.Info) {
		raw <- m
	}))
	must(ros.Subscribe(n, "/camera/image_raw/compressed", ros.SensorData, func(m *msgs.CompressedImage,
		_ ros.Info) {
		compressed <- m
	}))
	must(ros.Subscribe(n, "/camera/camera_info", ros.SensorData, func(m *msgs.CameraInfo, _ ros.Info) {
		info <- m
	}))
	m, c, i := <-raw, <-compressed, <-info
	if _, err := cvbridge.RGB(m, 0); err != nil || m.Width != 32 || m.Encoding != msgs.RGB8 ||
		m.Header.Stamp.IsZero() || m.Header.FrameID == "" {
		t.Errorf("%v, %+v", err, m.Header)
	}
	if img, err := cvbridge.RGB(c, 0); err != nil || img.Width != 32 {
		t.Error(err)
	}
	if i.Width != 32 || i.K[0] <= 0 || i.Header.FrameID != m.Header.FrameID {
		t.Errorf("%+v", i)
	}
}

// TestResetIsTold: who waits for the answer knows that it was told.
func TestResetIsReported(t *testing.T) {
	n := rigged(t)
	told := make(chan string, 10)
	must(ros.Subscribe(n, "/scene_reset", ros.Default, func(m *msgs.String, _ ros.Info) {
		told <- m.Data
	}))
	if res := trigger(n, "reset"); !res.Success {
		t.Fatal(res.Message)
	}
	if why := rostest.Receive(t, "that it was reset", told); why != "the cell was reset" {
		t.Errorf("told %q", why)
	}
	if res := trigger(n, "move_object"); !res.Success || len(told) > 0 {
		t.Errorf("an object was moved by hand: %+v, %d told", res, len(told))
	}
}

func TestGoalImage(t *testing.T) {
	n := rigged(t)
	if res := trigger(n, "new_goal"); !res.Success {
		t.Fatal(res.Message)
	}
	goals := make(chan *msgs.Image, 1)
	must(ros.Subscribe(n, "/simrig/goal_image", ros.Latched, func(m *msgs.Image, _ ros.Info) {
		goals <- m
	}))
	if m := <-goals; m.Width != 32 {
		t.Errorf("%d wide", m.Width)
	}
}

func TestBadParameters(t *testing.T) {
	for _, p := range []string{
		"world:=moon", "width:=1", "rate:=0.0", "fail_probability:=2.0", "world_backend:=unreal",
		"world:=lamps skills:=state-dependent", "world:=lamps world_backend:=gazebo",
		"states:=some",
	} {
		if _, err := node.New(rostest.Node(t, rostest.NewBus().Join(), "simrig", io.Discard,
			strings.Split(p, " ")...)); err == nil {
			t.Errorf("%s was taken", p)
		}
	}
}

var soon = rostest.Soon

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
