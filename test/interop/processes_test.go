package interop

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/rostest"
	"stripswm/test/internal/process"
)

func TestServiceAndParametersOfAnotherProcess(t *testing.T) {
	t.Parallel()
	domain := process.Domain(t)
	startRole(t, "server", domain, "--ros-args", "-r", "__node:=server", "-r", "__ns:=/rig", "-p",
		"rate:=10")
	n := node(t, domain, "tester")
	says := func(want string) {
		t.Helper()
		if res := rostest.Call[*msgs.TriggerResponse](n, "/rig/server/rate",
			&msgs.TriggerRequest{}); res.Message != want {
			t.Errorf("the rate is %v; want %s", res, want)
		}
	}
	says("10")
	value := msgs.ParameterValue{Type: msgs.ParameterTypeParameterDouble, DoubleValue: 50}
	set := rostest.Call[*msgs.SetParametersResponse](n, "/rig/server/set_parameters",
		&msgs.SetParametersRequest{Parameters: []msgs.Parameter{{Name: "rate", Value: value}}})
	if len(set.Results) != 1 || !set.Results[0].Successful {
		t.Fatalf("set: %v", set)
	}
	says("50")
	d := rostest.Call[*msgs.DescribeParametersResponse](n, "/rig/server/describe_parameters",
		&msgs.DescribeParametersRequest{Names: []string{"rate"}}).Descriptors
	if len(d) != 1 || d[0].Type != msgs.ParameterTypeParameterDouble ||
		!slices.Equal(d[0].FloatingPointRange, []msgs.FloatingPointRange{
			{FromValue: 1, ToValue: 100}}) {
		t.Errorf("describe: %v", d)
	}
	configure := msgs.LifecycleTransition{ID: msgs.LifecycleTransitionConfigure}
	if res := rostest.Call[*msgs.ChangeStateResponse](n, "/rig/server/change_state",
		&msgs.ChangeStateRequest{Transition: configure}); !res.Success {
		t.Errorf("configure: %v", res)
	}
	var names []string
	for _, d := range rostest.Call[*msgs.GetAvailableTransitionsResponse](n,
		"/rig/server/get_available_transitions",
		&msgs.GetAvailableTransitionsRequest{}).AvailableTransitions {
		names = append(names, d.Transition.Label+" to "+d.GoalState.Label)
	}
	if want := []string{"cleanup to cleaningup", "activate to activating",
		"shutdown to shuttingdown"}; !slices.Equal(names, want) {
		t.Errorf("available %q; want %q", names, want)
	}
}

func TestActionOfAnotherProcess(t *testing.T) {
	t.Parallel()
	domain := process.Domain(t)
	startRole(t, "server", domain)
	n := node(t, domain, "tester")
	skill := must(ros.NewActionClient[goal, feedback, result](n, "skill"))

	// The first feedback may come before the server has discovered its listener; once
	// one has arrived, none is lost.
	heard := make(chan float32, 100000)
	g := must(skill.Send(process.Soon(t), &msgs.ExecuteSkillGoal{Action: 100000}, func(f feedback) {
		heard <- f.Progress
	}))
	process.Receive(t, "feedback", heard)
	must(0, g.Cancel(process.Soon(t)))
	if res, status, err := g.Result(process.Soon(t)); err != nil || status != ros.GoalCanceled ||
		res.Message != "stopped" {
		t.Errorf("%v %v %v", res, status, err)
	}

	progress := make(chan float32, 1000)
	g = must(skill.Send(process.Soon(t), &msgs.ExecuteSkillGoal{Action: 4}, func(f feedback) {
		progress <- f.Progress
	}))
	for _, want := range []float32{0.25, 0.5, 0.75, 1} {
		if got := process.Receive(t, "feedback", progress); got != want {
			t.Errorf("progress %v, want %v", got, want)
		}
	}
	if res, status, err := g.Result(process.Soon(t)); err != nil || status != ros.GoalSucceeded ||
		res.Message != "done" {
		t.Errorf("%v %v %v", res, status, err)
	}

	g = must(skill.Send(process.Soon(t), &msgs.ExecuteSkillGoal{Action: 0}, nil))
	if _, status, err := g.Result(process.Soon(t)); err != nil || status != ros.GoalAborted {
		t.Errorf("%v %v", status, err)
	}
}

func TestKilledSubscriberDoesNotStopThePublisher(t *testing.T) {
	t.Parallel()
	domain := process.Domain(t)
	n := node(t, domain, "tester")
	pub := must(ros.Advertise[*msgs.Image](n, "image", ros.Default))
	got := make(chan bool, 10000)
	must(ros.Subscribe(n, "image", ros.Default, func(*msgs.Image, ros.Info) { got <- true }))
	p := startRole(t, "listener", domain)
	must(0, pub.WaitForSubscribers(process.Soon(t), 2))
	m := img(640, 480)
	must(0, pub.Publish(m))
	p.Await(told(m))
	process.Receive(t, "the first image", got)
	p.kill()
	// The dead reader is still matched: nothing has told the publisher. 100 MB go by.
	for range 100 {
		if err := pub.Publish(m); err != nil {
			t.Fatalf("after the kill: %v", err)
		}
		process.Receive(t, "an image after the kill", got)
	}
	again := startRole(t, "listener", domain)
	until(t, "a new listener hears", func() bool { return !again.Silent() },
		func() { must(0, pub.Publish(m)) })
	again.Await(told(m))
}

func TestMalformedMessagesDoNotStopANode(t *testing.T) {
	t.Parallel()
	domain := process.Domain(t)
	p := startRole(t, "listener", domain)
	n := node(t, domain, "tester")
	pub := must(ros.Advertise[*msgs.Image](n, "image", ros.QoS{Depth: 100}))
	must(0, pub.WaitForSubscribers(process.Soon(t), 1))
	m := img(8, 6)
	whole := must(msgs.Marshal(m))
	wrongType := must(msgs.Marshal(&msgs.String{Data: "not an image"}))
	hugeLength := slices.Clone(whole)
	copy(hugeLength[len(hugeLength)-len(m.Data)-4:], []byte{0xff, 0xff, 0xff, 0xff})
	for _, bad := range [][]byte{{0, 1, 0, 0}, whole[:20], whole[:len(whole)-8], wrongType, hugeLength,
		append([]byte{7, 7, 7, 7}, whole[4:]...)} {
		must(0, pub.PublishRaw(bad))
	}
	until(t, "the whole image arrives", func() bool { return !p.Silent() },
		func() { must(0, pub.Publish(m)) })
	p.Await(told(m))
	p.stop()
	if log := p.Err.String(); strings.Count(log, "[WARN]") != 1 || !strings.Contains(log, "/image") {
		t.Errorf("want one warning that names the topic, got\n%s", log)
	}
}

func TestRestartedPublisherIsFoundAgain(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*peer){"in order": (*peer).stop, "killed": (*peer).kill} {
		t.Run(name, func(t *testing.T) {
			domain := process.Domain(t)
			n := node(t, domain, "tester")
			got := make(chan bool, 1)
			must(ros.Subscribe(n, "image", ros.Default, func(*msgs.Image, ros.Info) {
				select {
				case got <- true:
				default:
				}
			}))
			p := startRole(t, "camera", domain)
			process.Receive(t, "an image", got)
			end(p)
			for len(got) > 0 {
				<-got
			}
			startRole(t, "camera", domain)
			process.Receive(t, "an image after the restart", got)
		})
	}
}

func TestTwelveNodesSeeEachOther(t *testing.T) {
	t.Parallel()
	domain := process.Domain(t)
	var want []string
	for i := range 6 {
		name := fmt.Sprintf("process_%d", i)
		startRole(t, "idle", domain, "--ros-args", "-r", "__node:="+name)
		want = append(want, "/"+name)
	}
	tr := transport(t, domain)
	for i := range 6 {
		name := fmt.Sprintf("local_%d", i)
		rostest.Node(t, tr, name, t.Output())
		want = append(want, "/"+name)
	}
	slices.Sort(want)
	var names []string
	for ctx := process.Soon(t); ctx.Err() == nil &&
		!slices.Equal(names, want); time.Sleep(10 * time.Millisecond) {
		names = nil
		for _, n := range tr.Nodes() {
			names = append(names, n.String())
		}
	}
	if !slices.Equal(names, want) {
		t.Errorf("seen %s, want %s", strings.Join(names, " "), strings.Join(want, " "))
	}
}
