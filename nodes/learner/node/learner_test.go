package node

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/learn"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/rostest"
)

type learning = func(context.Context, learn.Learner) (*learn.Result, error)

// connect makes a learner on a bus, whose learning is the given function unless it
// is nil, and a node beside it. It panics if there is something wrong with the parameters.
func connect(does learning, params ...string) (*Learner, *ros.Node) {
	bus := rostest.NewBus()
	arguments := []string{"--ros-args", "-p", "bag:=bag", "-p", "out:=out"}
	for _, p := range params {
		arguments = append(arguments, "-p", p)
	}
	l := must(New(must(ros.NewNode(bus.Join(), "learner", must(ros.ParseArgs(arguments)),
		ros.Options{Log: io.Discard}))))
	if does != nil {
		l.learn = does
	}
	return l, must(ros.NewNode(bus.Join(), "watcher", ros.Args{}, ros.Options{Log: io.Discard}))
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// newLearner connects a learner for the length of a test.
func newLearner(t testing.TB, does learning, params ...string) (*Learner, *ros.Node) {
	t.Helper()
	l, watcher := connect(does, params...)
	t.Cleanup(func() { l.node.Close() })
	t.Cleanup(func() { watcher.Close() })
	return l, watcher
}

func soon(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// endless learns until it is told to stop.
func endless(ctx context.Context, p learn.Learner) (*learn.Result, error) {
	p.Progress("world model", 1, 100, "16 codes")
	<-ctx.Done()
	return nil, ctx.Err()
}

func call(t *testing.T, n *ros.Node, service string) *msgs.TriggerResponse {
	t.Helper()
	c, err := ros.NewClient[*msgs.TriggerRequest, *msgs.TriggerResponse](n, service)
	if err != nil {
		t.Fatal(err)
	}
	res, err := c.Call(soon(t), &msgs.TriggerRequest{})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestStartProgressCancel(t *testing.T) {
	l, watcher := newLearner(t, endless)
	heard := make(chan *msgs.DiagnosticStatus, 100)
	if _, err := ros.Subscribe(watcher, "/learner/progress", ros.Latched,
		func(m *msgs.DiagnosticStatus, _ ros.Info) { heard <- m }); err != nil {
		t.Fatal(err)
	}
	if res := call(t, watcher, "/learner/cancel"); res.Success {
		t.Error("canceled what had not begun")
	}
	if res := call(t, watcher, "/learner/start"); !res.Success {
		t.Fatal(res.Message)
	}
	if m := <-heard; m.Name != "idle" {
		t.Errorf("at first %v", m)
	}
	if m := <-heard; m.Name != "world model" || m.Message != "16 codes" || m.Values[0].Value != "1" {
		t.Errorf("progress %v", m)
	}
	if res := call(t, watcher, "/learner/start"); res.Success || res.Message != ErrBusy.Error() {
		t.Errorf("a second start: %v", res)
	}
	if res := call(t, watcher, "/learner/cancel"); !res.Success {
		t.Error(res.Message)
	}
	if err := l.Wait(soon(t)); !errors.Is(err, errCanceled) {
		t.Errorf("ended with %v", err)
	}
	if m := <-heard; m.Name != "canceled" {
		t.Errorf("last progress %v", m)
	}
	if err := l.Start(); err != nil {
		t.Errorf("a start after it: %v", err)
	}
	if err := l.Stop(); err != nil {
		t.Error(err)
	}
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
	_ = l.Wait(soon(t))
}

// TestEncoderFrom has another node say, between two starts, whose encoder to take.
func TestEncoderFrom(t *testing.T) {
	var encoders []string
	l, watcher := newLearner(t, func(_ context.Context, p learn.Learner) (*learn.Result, error) {
		encoders = append(encoders, p.Encoder)
		return nil, nil
	})
	set := must(ros.NewClient[*msgs.SetParametersRequest, *msgs.SetParametersResponse](watcher,
		"/learner/set_parameters"))
	for _, encoder := range []string{"best", ""} {
		value := msgs.ParameterValue{Type: msgs.ParameterTypeParameterString, StringValue: encoder}
		if res := must(set.Call(soon(t), &msgs.SetParametersRequest{Parameters: []msgs.Parameter{
			{Name: "encoder_from", Value: value}}})); !res.Results[0].Successful {
			t.Fatal(res.Results[0].Reason)
		}
		if err := errors.Join(l.Start(), l.Wait(soon(t))); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(encoders, []string{"best", ""}) {
		t.Errorf("learned with the encoders of %q", encoders)
	}
}

func TestWhatCannotBeLearned(t *testing.T) {
	l, _ := newLearner(t, nil, "bag:=/nowhere", "out:="+t.TempDir())
	if err := l.Start(); err != nil {
		t.Fatal(err)
	}
	if err := l.Wait(soon(t)); err == nil || !strings.Contains(err.Error(), "/nowhere") {
		t.Errorf("error %v does not name the recording", err)
	}
	unset, _ := newLearner(t, nil, `bag:=""`)
	if err := unset.Start(); err == nil || unset.Configured() {
		t.Errorf("started without a recording: %v", err)
	}
}

func ExampleLearner() {
	l, _ := connect(func(_ context.Context, p learn.Learner) (*learn.Result, error) {
		fmt.Println("learns", p.Bag, "into", learn.BundleDir(p.Out), "with preset", p.Preset.Name)
		return &learn.Result{}, nil
	})
	if err := l.Start(); err != nil {
		fmt.Println(err)
	}
	fmt.Println(l.Wait(context.Background()))
	// Output:
	// learns bag into out/bundle with preset auto
	// <nil>
}
