package ros2

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/dds"
	"stripswm/nodes/ros/rostest"
	"stripswm/test/internal/process"
)

const trigger = "std_srvs/srv/Trigger"

// join makes a node on CycloneDDS, which serves /ours and counts its calls.
func join(t *testing.T, domain int) (n *ros.Node, calls, warnings chan string) {
	t.Helper()
	calls, warnings = make(chan string, 100), make(chan string, 100)
	tr := must(dds.Open(dds.Config{Domain: domain, Range: dds.Localhost},
		func(text string) { warnings <- text }))
	t.Cleanup(func() { tr.Close() })
	n = rostest.Node(t, tr, "ours", io.Discard)
	must(0, ros.Trigger(n, "/ours", func(context.Context) (string, error) {
		calls <- "called"
		return "served", nil
	}))
	return n, calls, warnings
}

func TestServicesOfCycloneDDS(t *testing.T) { services(t, cycloneDDS) }

// One that took the header of rmw_cyclonedds' requests for a length would end: rclpy's server took
// 3.9 GB.
func TestServicesOfFastDDS(t *testing.T) { services(t, fastDDS) }

func services(t *testing.T, rmw string) {
	g := newGraph(t, "dds", rmw)
	n, calls, warnings := join(t, g.domain)
	server := process.Start(t, g.command("python3", "testdata/server.py"))
	server.Await("ready")
	if res := rostest.Call[*msgs.TriggerResponse](n, "/theirs",
		&msgs.TriggerRequest{}); res.Message != "here" {
		t.Errorf("their server answers %v", res)
	}
	for range 3 {
		if out := g.says("service", "call", "/ours", trigger); !strings.Contains(out, "served") {
			t.Errorf("ros2 service call says %s", out)
		}
	}
	if out := g.says("service", "call", "/theirs", trigger); !strings.Contains(out, "here") {
		t.Errorf("their server answers its own client %s", out)
	}
	if got := strings.Count(server.Out.String(), "called"); got != 2 {
		t.Errorf("their server was called %d times, once by each client", got)
	}
	if len(calls) != 3 {
		t.Errorf("ours was called %d times by three calls", len(calls))
	}
	if len(warnings) > 0 {
		t.Errorf("warned of %s", <-warnings)
	}
}

// TestActionsOfFastDDS has rclpy and this project send each other goals, and rclpy ask a node for
// its parameters and its state.
func TestActionsOfFastDDS(t *testing.T) {
	g := newGraph(t, "dds", fastDDS)
	n, _, _ := join(t, g.domain)
	note := strings.Repeat("n", 100_000)
	must(ros.Declare(n, "note", note, ros.Describe[string]{}))
	must(ros.Manage(n, ros.Lifecycle{}))
	must(0, ros.ServeAction(n, "/our_skill", skill))
	theirs := process.Start(t, g.command("timeout", "240", "python3", "testdata/skills.py"))
	theirs.Await("parameter of 100000")
	theirs.Await("state inactive")
	theirs.Await("feedback 0.5")
	theirs.Await("result done, status 4")
	theirs.Await("canceled, status 5")

	client := must(ros.NewActionClient[*msgs.ExecuteSkillGoal, *msgs.ExecuteSkillFeedback,
		*msgs.ExecuteSkillResult](n, "/their_skill"))
	feedback := make(chan float32, 1000)
	sent := must(client.Send(process.Soon(t), &msgs.ExecuteSkillGoal{Action: 1},
		func(f *msgs.ExecuteSkillFeedback) { feedback <- f.Progress }))
	res, status, err := sent.Result(process.Soon(t))
	if err != nil || status != ros.GoalSucceeded || res.Message != "theirs" {
		t.Errorf("their result: %v, %v, %v", res, status, err)
	}
	if progress := process.Receive(t, "their feedback", feedback); progress != 0.25 {
		t.Errorf("their feedback is %g", progress)
	}
	sent = must(client.Send(process.Soon(t), &msgs.ExecuteSkillGoal{Action: 2}, nil))
	if err := sent.Cancel(process.Soon(t)); err != nil {
		t.Error(err)
	}
	if _, status, err = sent.Result(process.Soon(t)); err != nil || status != ros.GoalCanceled {
		t.Errorf("their canceled goal: %v, %v", status, err)
	}
}

// skill succeeds with action 1 after a second; others go on until they are canceled. Its feedback
// goes on, as a client may be found after its goal.
var skill = ros.Action[*msgs.ExecuteSkillGoal, *msgs.ExecuteSkillFeedback,
	*msgs.ExecuteSkillResult]{
	Execute: func(ctx context.Context, g *ros.ServerGoal[*msgs.ExecuteSkillGoal,
		*msgs.ExecuteSkillFeedback]) (*msgs.ExecuteSkillResult, error) {
		for i := 0; ctx.Err() == nil && (g.Goal.Action != 1 || i < 20); i++ {
			if err := g.Feedback(&msgs.ExecuteSkillFeedback{Progress: 0.5}); err != nil {
				return nil, err
			}
			time.Sleep(50 * time.Millisecond)
		}
		return &msgs.ExecuteSkillResult{Outcome: msgs.ExecuteSkillResultSucceeded, Message: "done"},
			context.Cause(ctx)
	},
}

func TestTopicsWithFastDDS(t *testing.T) {
	g := newGraph(t, "dds", fastDDS)
	n, _, _ := join(t, g.domain)
	p := must(ros.Advertise[*msgs.String](n, "/word", ros.Default))
	n.Every(n.Context(), 100*time.Millisecond,
		func(time.Time) { p.Publish(&msgs.String{Data: "passed"}) })
	out := g.says("topic", "echo", "--once", "/word", "std_msgs/msg/String")
	if !strings.Contains(out, "passed") {
		t.Errorf("ros2 topic echo says %s", out)
	}
}
