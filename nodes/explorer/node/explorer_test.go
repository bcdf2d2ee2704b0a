package node

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"stripswm/msgs"
	"stripswm/nodes/exploration"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/rostest"
)

// end is how a Run ended.
type end struct {
	status exploration.Status
	err    error
}

// run has an explorer explore beside the test.
func (b *table) run(e *Explorer) <-chan end {
	done := make(chan end, 1)
	ctx := b.patience()
	go func() {
		s, err := e.Run(ctx)
		done <- end{s, err}
	}()
	return done
}

func (b *table) end(done <-chan end) exploration.Status {
	b.t.Helper()
	last := <-done
	if last.err != nil {
		b.t.Fatal(last.err)
	}
	return last.status
}

// state waits until the explorer says that it is in this state.
func (b *table) state(e *Explorer, want string) {
	b.t.Helper()
	said := make(chan string, 1000)
	sub := must(ros.Subscribe(b.node, e.statuses.Topic(), ros.Latched,
		func(m *msgs.String, _ ros.Info) { said <- m.Data }))
	defer sub.Close()
	for ctx := b.patience(); ; {
		select {
		case text := <-said:
			var s Status
			if err := json.Unmarshal([]byte(text), &s); err != nil {
				b.t.Fatal(text, err)
			}
			if s.State == want {
				return
			}
		case <-ctx.Done():
			b.t.Fatalf("never in this state: %s", want)
		}
	}
}

func (b *table) call(service string) *msgs.TriggerResponse {
	return rostest.Call[*msgs.TriggerResponse](b.node, service, &msgs.TriggerRequest{})
}

func TestExploresUntilTheBudgetIsSpent(t *testing.T) {
	b := newTable(t)
	e := b.explorer("names:=[on, back, nothing]", "excluded_actions:=[2]", "budget:=30")
	s := b.end(b.run(e))
	if s.Reason != exploration.Spent || s.Attempts != 30 || len(b.tried) != 30 ||
		s.Succeeded == 0 || s.Seconds == 0 || slices.Contains(b.tried, 2) {
		t.Errorf("ended with %+v, %d tried", s, len(b.tried))
	}
	refused := len(slices.DeleteFunc(slices.Clone(b.tried), func(a uint32) bool { return a != 3 }))
	if refused == 0 || refused > 15 {
		t.Errorf("tried %d times what is always refused: %v", refused, b.tried)
	}
	b.state(e, done)
	b.diagnosed(e, msgs.DiagnosticStatusOk, "done: "+exploration.Spent)
}

// diagnosed waits for a message of /diagnostics.
func (b *table) diagnosed(e *Explorer, level uint8, message string) {
	b.t.Helper()
	said := make(chan msgs.DiagnosticStatus, 100)
	sub := must(ros.Subscribe(b.node, "/diagnostics", ros.Default, func(m *msgs.DiagnosticArray,
		_ ros.Info) {
		said <- m.Status[0]
	}))
	defer sub.Close()
	select {
	case m := <-said:
		if m.Level != level || m.Message != message || m.Name != "/explorer: explorer" {
			b.t.Errorf("diagnostics %+v", m)
		}
	case <-b.patience().Done():
		b.t.Error("no diagnostics")
	}
}

func TestPauseAndResume(t *testing.T) {
	b := newTable(t)
	e := b.explorer("actions:=3", "budget:=20")
	var once bool
	b.during = func() {
		if !once {
			once = true
			b.call("/explorer/pause") // the skill that runs comes to its end
		}
	}
	done := b.run(e)
	b.state(e, paused)
	for range 20 {
		b.film()
	}
	b.set(func() {
		if len(b.tried) != 1 {
			t.Errorf("tried %v", b.tried)
		}
	})
	if r := b.call("/explorer/resume"); !r.Success {
		t.Error(r.Message)
	}
	if s := b.end(done); s.Attempts != 20 {
		t.Errorf("%+v", s)
	}
}

// TestItAsksForAReset where every skill is refused.
func TestItAsksForAReset(t *testing.T) {
	b := newTable(t)
	b.stiff = true
	e := b.explorer("actions:=3", "budget:=6")
	requests := make(chan string, 100)
	must(ros.Subscribe(b.node, "/explorer/reset_request", ros.Latched,
		func(m *msgs.String, _ ros.Info) { requests <- m.Data }))
	done := b.run(e)
	if why := <-requests; why != "every skill was refused in this state: change the scene by hand" {
		t.Errorf("asks for %q", why)
	}
	b.set(func() {
		if len(b.tried) != 3 {
			t.Errorf("tried %v", b.tried)
		}
		b.stiff = false
	})
	b.somebody()
	if why := <-requests; why != "" {
		t.Errorf("then for %q", why)
	}
	if s := b.end(done); s.Resets != 1 || s.Attempts != 6 {
		t.Errorf("%+v", s)
	}
}

func TestItWaitsForTheOthers(t *testing.T) {
	b := newTable(t)
	must(0, b.records.Close())
	e := b.explorer("actions:=3", "budget:=1")
	done := b.run(e)
	b.state(e, "waits for a recorder (topic transitions)")
	b.set(func() {
		b.records = must(ros.Advertise[*msgs.Transition](b.node, "transitions",
			ros.QoS{Depth: 100}))
	})
	b.end(done)
}

func TestParameters(t *testing.T) {
	for want, params := range map[string][]string{
		"names has 2 actions, and actions is 3": {"names:=[a, b]", "actions:=3"},
		"pigeons":                               {"image_transport:=pigeons"},
		"region":                                {"region:=[0.5, 0.5]"},
		"budget":                                {"budget:=-1"},
		"excluded action 4":                     {"actions:=3", "excluded_actions:=[4]"},
		"all 2 actions are excluded":            {"actions:=2", "excluded_actions:=[1, 2]"},
	} {
		if _, err := New(newTable(t).join("explorer", params...)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", params, err)
		}
	}
	b := newTable(t)
	if last := <-b.run(b.explorer()); last.err == nil ||
		!strings.Contains(last.err.Error(), "the parameters names and actions are empty") {
		t.Errorf("without names: %v", last.err)
	}
}
