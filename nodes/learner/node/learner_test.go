package node

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"stripswm/msgs"
	"stripswm/nodes/learn"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/rostest"
)

type learning = func(context.Context, learn.Learner) (*learn.Result, error)

// newLearner makes a learner, whose learning is the given function unless it is nil, and a node
// beside it.
func newLearner(t testing.TB, does learning, params ...string) (*Learner, *ros.Node) {
	t.Helper()
	bus := rostest.NewBus()
	l := must(New(rostest.Node(t, bus.Join(), "learner", io.Discard,
		append([]string{"bag:=bag", "out:=out"}, params...)...)))
	if does != nil {
		l.learn = does
	}
	return l, rostest.Node(t, bus.Join(), "watcher", io.Discard)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// endless learns until it is told to stop.
func endless(ctx context.Context, p learn.Learner) (*learn.Result, error) {
	p.Progress("world model", 1, 100, "16 codes")
	<-ctx.Done()
	return nil, ctx.Err()
}

func call(n *ros.Node, service string) *msgs.TriggerResponse {
	return rostest.Call[*msgs.TriggerResponse](n, service, &msgs.TriggerRequest{})
}

func TestStartProgressCancel(t *testing.T) {
	l, watcher := newLearner(t, endless)
	heard := make(chan *msgs.DiagnosticStatus, 100)
	must(ros.Subscribe(watcher, "/learner/progress", ros.Latched,
		func(m *msgs.DiagnosticStatus, _ ros.Info) { heard <- m }))
	if res := call(watcher, "/learner/cancel"); res.Success {
		t.Error("canceled what had not begun")
	}
	if res := call(watcher, "/learner/start"); !res.Success {
		t.Fatal(res.Message)
	}
	if m := <-heard; m.Name != "idle" {
		t.Errorf("at first %v", m)
	}
	if m := <-heard; m.Name != "world model" || m.Message != "16 codes" || m.Values[0].Value != "1" {
		t.Errorf("progress %v", m)
	}
	if res := call(watcher, "/learner/start"); res.Success || res.Message != ErrBusy.Error() {
		t.Errorf("a second start: %v", res)
	}
	if res := call(watcher, "/learner/cancel"); !res.Success {
		t.Error(res.Message)
	}
	if err := l.Wait(rostest.Soon(t)); !errors.Is(err, errCanceled) {
		t.Errorf("ended with %v", err)
	}
	if m := <-heard; m.Name != "canceled" {
		t.Errorf("last progress %v", m)
	}
	must(0, errors.Join(l.Start(), l.Stop()))
}

// A step of training that takes longer than the wait, on a busy machine, is no failure of the node.
func TestStopOfASlowStep(t *testing.T) {
	step := make(chan bool)
	l, _ := newLearner(t, func(ctx context.Context, _ learn.Learner) (*learn.Result, error) {
		<-step
		return nil, ctx.Err()
	})
	if err := errors.Join(l.Start(), l.Stop()); err != nil {
		t.Error(err)
	}
	close(step)
	_ = l.Wait(rostest.Soon(t))
}

// TestEncoderFrom has another node say, between two starts, whose encoder to take.
func TestEncoderFrom(t *testing.T) {
	var encoders []string
	l, watcher := newLearner(t, func(_ context.Context, p learn.Learner) (*learn.Result, error) {
		if want := "out/bundle"; learn.BundleDir(p.Out) != want || p.Preset.Name != "auto" {
			t.Errorf("learns into %s with preset %s", p.Out, p.Preset.Name)
		}
		encoders = append(encoders, p.Encoder)
		return nil, nil
	})
	for _, encoder := range []string{"best", ""} {
		value := msgs.ParameterValue{Type: msgs.ParameterTypeParameterString, StringValue: encoder}
		rostest.Call[*msgs.SetParametersResponse](watcher, "/learner/set_parameters",
			&msgs.SetParametersRequest{Parameters: []msgs.Parameter{
				{Name: "encoder_from", Value: value}}})
		must(0, errors.Join(l.Start(), l.Wait(rostest.Soon(t))))
	}
	if !slices.Equal(encoders, []string{"best", ""}) {
		t.Errorf("learned with the encoders of %q", encoders)
	}
}

func TestWhatCannotBeLearned(t *testing.T) {
	l, _ := newLearner(t, nil, "bag:=/nowhere", "out:="+t.TempDir())
	must(0, l.Start())
	if err := l.Wait(rostest.Soon(t)); err == nil || !strings.Contains(err.Error(), "/nowhere") {
		t.Errorf("error %v does not name the recording", err)
	}
	unset, _ := newLearner(t, nil, `bag:=""`)
	if err := unset.Start(); err == nil || unset.Configured() {
		t.Errorf("started without a recording: %v", err)
	}
}
