package ros_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"stripswm/msgs"
	"stripswm/nodes/ros"
)

func TestLifecycle(t *testing.T) {
	noLeaks(t)
	w := newWorld(t)
	n, tool := w.node("n"), w.node("tool")
	var done []string
	note := func(what string, err error) func(context.Context) error {
		return func(context.Context) error { done = append(done, what); return err }
	}
	hooks := ros.Lifecycle{Configure: note("configure", nil), Activate: note("activate", nil), Deactivate: note("deactivate", nil), Shutdown: note("shutdown", nil)}
	m := must(ros.Manage(n, hooks))
	events := make(chan *msgs.TransitionEvent, 32)
	must(ros.Subscribe(tool, "/n/transition_event", ros.Default, func(e *msgs.TransitionEvent, _ ros.Info) { events <- e }))
	change := must(ros.NewClient[*msgs.ChangeStateRequest, *msgs.ChangeStateResponse](tool, "/n/change_state"))
	state := must(ros.NewClient[*msgs.GetStateRequest, *msgs.GetStateResponse](tool, "/n/get_state"))

	for _, s := range []struct {
		ask   msgs.LifecycleTransition
		ok    bool
		state ros.LifecycleState
	}{
		{msgs.LifecycleTransition{ID: msgs.LifecycleTransitionActivate}, false, ros.Unconfigured},
		{msgs.LifecycleTransition{ID: msgs.LifecycleTransitionConfigure}, true, ros.Inactive},
		{msgs.LifecycleTransition{Label: "activate"}, true, ros.Active},
		{msgs.LifecycleTransition{ID: msgs.LifecycleTransitionDeactivate}, true, ros.Inactive},
		{msgs.LifecycleTransition{ID: msgs.LifecycleTransitionCleanup}, true, ros.Unconfigured},
		{msgs.LifecycleTransition{Label: "shutdown"}, true, ros.Finalized},
		{msgs.LifecycleTransition{Label: "configure"}, false, ros.Finalized},
	} {
		res := must(change.Call(soon(t), &msgs.ChangeStateRequest{Transition: s.ask}))
		now := must(state.Call(soon(t), &msgs.GetStateRequest{})).CurrentState
		if res.Success != s.ok || now.ID != uint8(s.state) || now.Label != s.state.String() || m.State() != s.state {
			t.Errorf("%v: success %v, state %v", s.ask, res.Success, now)
		}
	}
	if want := []string{"configure", "activate", "deactivate", "shutdown"}; !slices.Equal(done, want) {
		t.Errorf("done %v, want %v", done, want)
	}
	if e := receive(t, events); e.Transition.Label != "configure" || e.GoalState.Label != "configuring" {
		t.Errorf("first event %v", e)
	}
	if e := receive(t, events); e.GoalState.Label != "inactive" {
		t.Errorf("second event %v", e)
	}
}

func TestTransitionThatFailsKeepsTheState(t *testing.T) {
	w := newWorld(t)
	stuck := errors.New("no model")
	m := must(ros.Manage(w.node("n"), ros.Lifecycle{Configure: func(context.Context) error { return stuck }}))
	if err := m.Configure(soon(t)); !errors.Is(err, stuck) || m.State() != ros.Unconfigured {
		t.Errorf("error %v, state %v", err, m.State())
	}
	if err := m.Activate(soon(t)); err == nil {
		t.Error("activated without being configured")
	}
}

func TestAvailableTransitions(t *testing.T) {
	w := newWorld(t)
	must(ros.Manage(w.node("n"), ros.Lifecycle{}))
	tool := w.node("tool")
	ask := func(service string) (labels []string) {
		c := must(ros.NewClient[*msgs.GetAvailableTransitionsRequest, *msgs.GetAvailableTransitionsResponse](tool, service))
		for _, d := range must(c.Call(soon(t), &msgs.GetAvailableTransitionsRequest{})).AvailableTransitions {
			labels = append(labels, d.StartState.Label+" "+d.Transition.Label)
		}
		return labels
	}
	if got, want := ask("/n/get_available_transitions"), []string{"unconfigured configure", "unconfigured shutdown"}; !slices.Equal(got, want) {
		t.Errorf("available %v, want %v", got, want)
	}
	if got := ask("/n/get_transition_graph"); len(got) != 7 {
		t.Errorf("graph %v", got)
	}
	c := must(ros.NewClient[*msgs.GetAvailableStatesRequest, *msgs.GetAvailableStatesResponse](tool, "/n/get_available_states"))
	if got := must(c.Call(soon(t), &msgs.GetAvailableStatesRequest{})).AvailableStates; len(got) != 11 {
		t.Errorf("states %v", got)
	}
}
