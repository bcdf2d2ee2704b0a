package node

import (
	"encoding/json"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/exploration"
)

// Status is what ~/status says, as JSON.
type Status struct {
	State string `json:"state"` // exploring, paused, or what it waits for
	exploration.Status
	// Facts is more of an exploration by facts.
	Facts *exploration.InformedStatus `json:"facts,omitempty"`
}

// The states that are not of waiting.
const (
	exploring = "exploring"
	paused    = "paused"
	done      = "done"
)

// say changes the state.
func (e *Explorer) say(state string) {
	e.tell(func(s *Status) { s.State = state })
}

// tell changes the status and publishes it, if it is another.
func (e *Explorer) tell(change func(*Status)) {
	e.mu.Lock()
	was := e.status
	change(&e.status)
	s := e.status
	e.mu.Unlock()
	if s == was {
		return
	}
	if s.State != was.State {
		e.node.Log().Info(s.State, "attempts", s.Attempts)
	}
	text, err := json.Marshal(s)
	if err == nil {
		err = e.statuses.Publish(&msgs.String{Data: string(text)})
	}
	e.warn(err)
}

func (e *Explorer) warn(err error) {
	if err != nil && e.node.Context().Err() == nil {
		e.node.Log().Warn("not published", "error", err)
	}
}

// diagnose publishes the node's health.
func (e *Explorer) diagnose(now time.Time) {
	e.mu.Lock()
	s := e.status
	e.mu.Unlock()
	d := msgs.DiagnosticStatus{Level: msgs.DiagnosticStatusOk, Name: e.node.Name().String() +
		": explorer", HardwareID: "none", Message: s.State}
	if s.State != exploring && s.State != paused && s.State != done {
		d.Level = msgs.DiagnosticStatusWarn
	}
	if s.Reason != "" {
		d.Message += ": " + s.Reason
	}
	if s.Trouble != "" {
		d.Level, d.Message = msgs.DiagnosticStatusWarn, d.Message+
			"; the last training round failed: "+s.Trouble
	}
	d.Add("attempts", "%d", s.Attempts)
	d.Add("attempts learned from", "%d", s.Learned)
	d.Add("learning", "%t", s.Learning)
	d.Add("states", "%d", s.States)
	d.Add("edges", "%d", s.Edges)
	d.Add("states expected", "%.1f", s.MoreStates)
	d.Add("edges expected", "%.1f", s.MoreEdges)
	d.Add("success expected", "%.3f", s.Success)
	d.Add("last action", "%d", s.Choice.Action)
	d.Add("last attempt's kind", "%s", s.Choice.Kind)
	d.Add("resets asked for", "%d", s.Resets)

	e.warn(e.diagnostics.Publish(&msgs.DiagnosticArray{Header: msgs.Header{Stamp: msgs.TimeFrom(now)},
		Status: []msgs.DiagnosticStatus{d}}))
}
