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
	"stripswm/test/internal/process"
)

const trigger = "std_srvs/srv/Trigger"

// join makes a node on CycloneDDS, which serves /ours and counts its calls.
func join(t *testing.T, domain int) (n *ros.Node, calls, warnings chan string) {
	t.Helper()
	calls, warnings = make(chan string, 100), make(chan string, 100)
	tr, err := dds.Open(dds.Config{Domain: domain, Range: dds.Localhost},
		func(text string) { warnings <- text })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tr.Close() })
	if n, err = ros.NewNode(tr, "ours", ros.Args{}, ros.Options{Log: io.Discard}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close() })
	if _, err := ros.Serve(n, "/ours", func(context.Context,
		*msgs.TriggerRequest) *msgs.TriggerResponse {
		calls <- "called"
		return &msgs.TriggerResponse{Success: true, Message: "served"}
	}); err != nil {
		t.Fatal(err)
	}
	return n, calls, warnings
}

// theirs starts a server of rclpy, and calls it.
func (g graph) theirs(n *ros.Node) (*process.Process, *msgs.TriggerResponse, error) {
	g.t.Helper()
	server := process.Start(g.t, g.command("python3", "testdata/server.py"))
	server.Await("ready")
	client, err := ros.NewClient[*msgs.TriggerRequest, *msgs.TriggerResponse](n, "/theirs")
	if err != nil {
		g.t.Fatal(err)
	}
	defer client.Close()
	res, err := client.Call(process.Soon(g.t), &msgs.TriggerRequest{})
	return server, res, err
}

func TestServicesOfCycloneDDS(t *testing.T) { services(t, cycloneDDS) }

// One that took the header of rmw_cyclonedds' requests for a length would end: rclpy's server took
// 3.9 GB.
func TestServicesOfFastDDS(t *testing.T) { services(t, fastDDS) }

func services(t *testing.T, rmw string) {
	g := newGraph(t, "dds", rmw)
	n, calls, warnings := join(t, g.domain)
	server, res, err := g.theirs(n)
	if err != nil || res.Message != "here" {
		t.Errorf("their server answers %v, %v", res, err)
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
	if _, err := ros.Declare(n, "note", note, ros.Describe[string]{}); err != nil {
		t.Fatal(err)
	}
	if _, err := ros.Manage(n, ros.Lifecycle{}); err != nil {
		t.Fatal(err)
	}
	if _, err := ros.ServeAction(n, "/our_skill", skill); err != nil {
		t.Fatal(err)
	}
	theirs := process.Start(t, g.command("timeout", "240", "python3", "testdata/skills.py"))
	theirs.Await("parameter of 100000")
	theirs.Await("state inactive")
	theirs.Await("feedback 0.5")
	theirs.Await("result done, status 4")
	theirs.Await("canceled, status 5")

	client, err := ros.NewActionClient[*msgs.ExecuteSkillGoal, *msgs.ExecuteSkillFeedback,
		*msgs.ExecuteSkillResult](n, "/their_skill")
	if err != nil {
		t.Fatal(err)
	}
	feedback := make(chan float32, 1000)
	sent, err := client.Send(process.Soon(t), &msgs.ExecuteSkillGoal{Action: 1},
		func(f *msgs.ExecuteSkillFeedback) { feedback <- f.Progress })
	if err != nil {
		t.Fatal(err)
	}
	res, status, err := sent.Result(process.Soon(t))
	if err != nil || status != ros.GoalSucceeded || res.Message != "theirs" {
		t.Errorf("their result: %v, %v, %v", res, status, err)
	}
	if progress := process.Receive(t, "their feedback", feedback); progress != 0.25 {
		t.Errorf("their feedback is %g", progress)
	}
	if sent, err = client.Send(process.Soon(t), &msgs.ExecuteSkillGoal{Action: 2}, nil); err != nil {
		t.Fatal(err)
	}
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
	p, err := ros.Advertise[*msgs.String](n, "/word", ros.Default)
	if err != nil {
		t.Fatal(err)
	}
	n.Every(n.Context(), 100*time.Millisecond,
		func(time.Time) { p.Publish(&msgs.String{Data: "passed"}) })
	out := g.says("topic", "echo", "--once", "/word", "std_msgs/msg/String")
	if !strings.Contains(out, "passed") {
		t.Errorf("ros2 topic echo says %s", out)
	}
}
