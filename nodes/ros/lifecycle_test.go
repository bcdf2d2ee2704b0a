package ros_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/rostest"
)

func TestLifecycle(t *testing.T) {
	noLeaks(t)
	w := newWorld(t)
	n, tool := w.node("n"), w.node("tool")
	var done []string
	note := func(what string, err error) func(context.Context) error {
		return func(context.Context) error { done = append(done, what); return err }
	}
	hooks := ros.Lifecycle{Configure: note("configure", nil), Activate: note("activate", nil),
		Deactivate: note("deactivate", nil), Shutdown: note("shutdown", nil)}
	m := must(ros.Manage(n, hooks))
	events := make(chan *msgs.TransitionEvent, 32)
	must(ros.Subscribe(tool, "/n/transition_event", ros.Default, func(e *msgs.TransitionEvent,
		_ ros.Info) {
		events <- e
	}))

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
		res := rostest.Call[*msgs.ChangeStateResponse](tool, "/n/change_state",
			&msgs.ChangeStateRequest{Transition: s.ask})
		now := rostest.Call[*msgs.GetStateResponse](tool, "/n/get_state",
			&msgs.GetStateRequest{}).CurrentState
		if res.Success != s.ok || now.ID != uint8(s.state) || now.Label != s.state.String() ||
			m.State() != s.state {
			t.Errorf("%v: success %v, state %v", s.ask, res.Success, now)
		}
	}
	if want := []string{"configure", "activate", "deactivate", "shutdown"}; !slices.Equal(done, want) {
		t.Errorf("done %v, want %v", done, want)
	}
	if e := receive(t, events); e.Transition.Label != "configure" ||
		e.GoalState.Label != "configuring" {
		t.Errorf("first event %v", e)
	}
	if e := receive(t, events); e.GoalState.Label != "inactive" {
		t.Errorf("second event %v", e)
	}
}

func TestTransitionThatFailsKeepsTheState(t *testing.T) {
	w := newWorld(t)
	stuck := errors.New("no model")
	m := must(ros.Manage(w.node("n"), ros.Lifecycle{Configure: func(context.Context) error {
		return stuck
	}}))
	if err := m.Configure(soon(t)); !errors.Is(err, stuck) || m.State() != ros.Unconfigured {
		t.Errorf("error %v, state %v", err, m.State())
	}
	if err := m.Activate(soon(t)); err == nil {
		t.Error("activated without being configured")
	}
	m = must(ros.Manage(w.node("other"), ros.Lifecycle{Shutdown: func(context.Context) error {
		return stuck
	}}))
	if err := m.Shutdown(soon(t)); !errors.Is(err, stuck) || m.State() != ros.Finalized {
		t.Errorf("a shutdown that fails: error %v, state %v", err, m.State())
	}
}

func TestAvailableTransitions(t *testing.T) {
	w := newWorld(t)
	must(ros.Manage(w.node("n"), ros.Lifecycle{}))
	tool := w.node("tool")
	ask := func(service string) (labels []string) {
		for _, d := range rostest.Call[*msgs.GetAvailableTransitionsResponse](tool, service,
			&msgs.GetAvailableTransitionsRequest{}).AvailableTransitions {
			labels = append(labels, fmt.Sprintf("%d %s: %s to %s", d.Transition.ID, d.Transition.Label,
				d.StartState.Label, d.GoalState.Label))
		}
		return labels
	}
	if got, want := ask("/n/get_available_transitions"), []string{
		"1 configure: unconfigured to configuring",
		"5 shutdown: unconfigured to shuttingdown"}; !slices.Equal(got, want) {
		t.Errorf("available %v, want %v", got, want)
	}
	graph := ask("/n/get_transition_graph")
	for _, want := range []string{"10 transition_success: configuring to inactive",
		"31 transition_failure: activating to inactive",
		"51 transition_failure: shuttingdown to finalized",
		"42 transition_error: deactivating to errorprocessing",
		"60 transition_success: errorprocessing to unconfigured"} {
		if !slices.Contains(graph, want) {
			t.Errorf("no %q in the graph %q", want, graph)
		}
	}
	if len(graph) != 25 {
		t.Errorf("%d transitions in the graph %q, rcl has 25", len(graph), graph)
	}
	if got := rostest.Call[*msgs.GetAvailableStatesResponse](tool, "/n/get_available_states",
		&msgs.GetAvailableStatesRequest{}).AvailableStates; len(got) != 11 {
		t.Errorf("states %v", got)
	}
}
