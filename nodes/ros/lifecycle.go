package ros

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"stripswm/msgs"
)

// A Lifecycle is what a managed node does when it changes state
// (https://design.ros2.org/articles/node_lifecycle.html). An error keeps the node in the state that
// it came from, but for Shutdown, which ends in any case; the functions that are nil do nothing.
type Lifecycle struct {
	Configure  func(context.Context) error // get ready: load models, make endpoints
	Activate   func(context.Context) error // begin to work
	Deactivate func(context.Context) error // stop working
	Cleanup    func(context.Context) error // let go of what Configure got
	Shutdown   func(context.Context) error // from any state, before the end
}

// LifecycleState is a state of a managed node.
type LifecycleState uint8

// The states of lifecycle_msgs/msg/State in which a node rests.
const (
	Unconfigured = LifecycleState(msgs.LifecycleStatePrimaryStateUnconfigured)
	Inactive     = LifecycleState(msgs.LifecycleStatePrimaryStateInactive)
	Active       = LifecycleState(msgs.LifecycleStatePrimaryStateActive)
	Finalized    = LifecycleState(msgs.LifecycleStatePrimaryStateFinalized)
)

var stateLabels = map[LifecycleState]string{
	LifecycleState(msgs.LifecycleStatePrimaryStateUnknown): "unknown",
	Unconfigured:    "unconfigured",
	Inactive:        "inactive",
	Active:          "active",
	Finalized:       "finalized",
	configuring:     "configuring",
	cleaningUp:      "cleaningup",
	shuttingDown:    "shuttingdown",
	activating:      "activating",
	deactivating:    "deactivating",
	errorProcessing: "errorprocessing",
}

// String is ROS's word for the state.
func (s LifecycleState) String() string { return stateLabels[s] }

func (s LifecycleState) message() msgs.LifecycleState {
	return msgs.LifecycleState{ID: uint8(s), Label: s.String()}
}

// A step is one transition that can be asked for. It passes through a state in which the node's
// function runs.
type step struct {
	id             uint8
	label          string
	from, over, to LifecycleState
	refused        LifecycleState // where it ends if the function fails
	run            func(*Lifecycle) func(context.Context) error
	// the transition out of over then; success is the one before, an error the one after
	denied uint8
}

const (
	configuring     = LifecycleState(msgs.LifecycleStateTransitionStateConfiguring)
	cleaningUp      = LifecycleState(msgs.LifecycleStateTransitionStateCleaningup)
	shuttingDown    = LifecycleState(msgs.LifecycleStateTransitionStateShuttingdown)
	activating      = LifecycleState(msgs.LifecycleStateTransitionStateActivating)
	deactivating    = LifecycleState(msgs.LifecycleStateTransitionStateDeactivating)
	errorProcessing = LifecycleState(msgs.LifecycleStateTransitionStateErrorprocessing)
)

var steps = []step{
	{msgs.LifecycleTransitionConfigure, "configure", Unconfigured, configuring, Inactive, Unconfigured,
		func(l *Lifecycle) func(context.Context) error { return l.Configure },
		msgs.LifecycleTransitionOnConfigureFailure},
	{msgs.LifecycleTransitionCleanup, "cleanup", Inactive, cleaningUp, Unconfigured, Inactive,
		func(l *Lifecycle) func(context.Context) error { return l.Cleanup },
		msgs.LifecycleTransitionOnCleanupFailure},
	{msgs.LifecycleTransitionActivate, "activate", Inactive, activating, Active, Inactive,
		func(l *Lifecycle) func(context.Context) error { return l.Activate },
		msgs.LifecycleTransitionOnActivateFailure},
	{msgs.LifecycleTransitionDeactivate, "deactivate", Active, deactivating, Inactive, Active,
		func(l *Lifecycle) func(context.Context) error { return l.Deactivate },
		msgs.LifecycleTransitionOnDeactivateFailure},
	shutdownFrom(msgs.LifecycleTransitionUnconfiguredShutdown, Unconfigured),
	shutdownFrom(msgs.LifecycleTransitionInactiveShutdown, Inactive),
	shutdownFrom(msgs.LifecycleTransitionActiveShutdown, Active),
}

func shutdownFrom(id uint8, from LifecycleState) step {
	return step{id, "shutdown", from, shuttingDown, Finalized, Finalized,
		func(l *Lifecycle) func(context.Context) error { return l.Shutdown },
		msgs.LifecycleTransitionOnShutdownFailure}
}

// A Managed is a node whose state others can see and change, as `ros2 lifecycle` does.
type Managed struct {
	node   *Node
	hooks  Lifecycle
	events *Publisher[*msgs.TransitionEvent]

	changing sync.Mutex // held during a transition
	mu       sync.Mutex
	state    LifecycleState
}

// Manage gives the node lifecycle states, the services for them and ~/transition_event. It begins
// unconfigured.
func Manage(n *Node, hooks Lifecycle) (*Managed, error) {
	m := &Managed{node: n, hooks: hooks, state: Unconfigured}
	var err error
	m.events, err = Advertise[*msgs.TransitionEvent](n, "~/transition_event", Default)
	return m, errors.Join(err, Serve(n, "~/get_state", m.getState),
		Serve(n, "~/change_state", m.changeState),
		Serve(n, "~/get_available_states", m.availableStates),
		Serve(n, "~/get_available_transitions", m.availableTransitions),
		Serve(n, "~/get_transition_graph", m.transitionGraph))
}

// State is the present state, a transition's while one is under way.
func (m *Managed) State() LifecycleState {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.state
}

// Configure goes from unconfigured to inactive, as the service does when it is asked to.
func (m *Managed) Configure(ctx context.Context) error { return m.change(ctx, "configure") }

// Activate goes from inactive to active.
func (m *Managed) Activate(ctx context.Context) error { return m.change(ctx, "activate") }

// Shutdown goes from any state to finalized.
func (m *Managed) Shutdown(ctx context.Context) error { return m.change(ctx, "shutdown") }

func (m *Managed) change(ctx context.Context, label string) error {
	return m.take(ctx, label, func(s step) bool { return s.label == label })
}

// take runs the step from the present state that fits.
func (m *Managed) take(ctx context.Context, asked string, fits func(step) bool) error {
	m.changing.Lock()
	defer m.changing.Unlock()
	from := m.State()
	for _, s := range steps {
		if s.from == from && fits(s) {
			return m.run(ctx, s)
		}
	}
	return fmt.Errorf("lifecycle: no transition %s from state %s", asked, from)
}

func (m *Managed) run(ctx context.Context, s step) error {
	m.enter(s.id, s.label, s.from, s.over)
	var err error
	if hook := s.run(&m.hooks); hook != nil {
		err = hook(ctx)
	}
	if err != nil {
		m.enter(s.denied, "transition_failure", s.over, s.refused)
		m.node.log.Error("transition "+s.label+" failed", "error", err)
		return fmt.Errorf("lifecycle: %s: %w", s.label, err)
	}
	m.enter(s.denied-1, "transition_success", s.over, s.to)
	return nil
}

func (m *Managed) enter(id uint8, label string, from, to LifecycleState) {
	m.mu.Lock()
	m.state = to
	m.mu.Unlock()
	m.node.WarnOf("transition event", m.events.Publish(&msgs.TransitionEvent{
		Timestamp:  uint64(m.node.clock.Now().UnixNano()),
		Transition: msgs.LifecycleTransition{ID: id, Label: label},
		StartState: from.message(),
		GoalState:  to.message(),
	}))
}

func (m *Managed) getState(context.Context, *msgs.GetStateRequest) *msgs.GetStateResponse {
	return &msgs.GetStateResponse{CurrentState: m.State().message()}
}

// changeState takes the label if there is one, as rclcpp does, or else the id.
func (m *Managed) changeState(ctx context.Context,
	req *msgs.ChangeStateRequest,
) *msgs.ChangeStateResponse {
	t := req.Transition
	err := m.take(ctx, fmt.Sprintf("%d %q", t.ID, t.Label), func(s step) bool {
		if t.Label != "" {
			return s.label == t.Label
		}
		return s.id == t.ID
	})
	if err != nil {
		m.node.log.Warn("state not changed", "error", err)
	}
	return &msgs.ChangeStateResponse{Success: err == nil}
}

func (m *Managed) availableStates(context.Context,
	*msgs.GetAvailableStatesRequest,
) *msgs.GetAvailableStatesResponse {
	res := &msgs.GetAvailableStatesResponse{}
	for id := range msgs.LifecycleStateTransitionStateErrorprocessing + 1 {
		if s := LifecycleState(id); s.String() != "" {
			res.AvailableStates = append(res.AvailableStates, s.message())
		}
	}
	return res
}

func (m *Managed) availableTransitions(context.Context,
	*msgs.GetAvailableTransitionsRequest,
) *msgs.GetAvailableTransitionsResponse {
	state := m.State()
	res := &msgs.GetAvailableTransitionsResponse{}
	for _, t := range transitions() {
		if t.StartState.ID == uint8(state) {
			res.AvailableTransitions = append(res.AvailableTransitions, t)
		}
	}
	return res
}

func (m *Managed) transitionGraph(context.Context,
	*msgs.GetAvailableTransitionsRequest,
) *msgs.GetAvailableTransitionsResponse {
	return &msgs.GetAvailableTransitionsResponse{AvailableTransitions: transitions()}
}

// transitions are all those of rcl's state machine: those that can be asked for, which lead to the
// states between, and those that lead out of these.
func transitions() (all []msgs.TransitionDescription) {
	add := func(id uint8, label string, from, to LifecycleState) {
		all = append(all, msgs.TransitionDescription{
			Transition: msgs.LifecycleTransition{ID: id, Label: label}, StartState: from.message(),
			GoalState: to.message(),
		})
	}
	ends := func(failure uint8, over, success, refused, fault LifecycleState) {
		add(failure-1, "transition_success", over, success)
		add(failure, "transition_failure", over, refused)
		add(failure+1, "transition_error", over, fault)
	}
	done := map[LifecycleState]bool{}
	for _, s := range steps {
		add(s.id, s.label, s.from, s.over)
		if !done[s.over] {
			ends(s.denied, s.over, s.to, s.refused, errorProcessing)
		}
		done[s.over] = true
	}
	ends(msgs.LifecycleTransitionOnErrorFailure, errorProcessing, Unconfigured, Finalized, Finalized)
	return all
}
