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
	was := e.status.State
	change(&e.status)
	s := e.status
	text, err := json.Marshal(s)
	same := err == nil && string(text) == e.said
	e.said = string(text)
	e.mu.Unlock()
	if same {
		return
	}
	if s.State != was {
		e.node.Log().Info(s.State, "attempts", s.Attempts)
	}
	if err == nil {
		err = e.statuses.Publish(&msgs.String{Data: string(text)})
	}
	e.node.WarnOf("not published: status", err)
}

// diagnose tells of the node's health.
func (e *Explorer) diagnose(_ time.Time, d *msgs.DiagnosticStatus) {
	e.mu.Lock()
	s := e.status
	e.mu.Unlock()
	d.Message = s.State
	if s.State != exploring && s.State != paused && s.State != done {
		d.Level = msgs.DiagnosticStatusWarn
	}
	if s.Reason != "" {
		d.Message += ": " + s.Reason
	}
	delay, warning := e.camera.Clock()
	if warning != "" {
		d.Level, d.Message = msgs.DiagnosticStatusWarn, d.Message+"; "+warning
	}
	d.Add("camera delay, at least (ms)", "%.2f", 1e3*delay.Seconds())
	d.Add("attempts", "%d", s.Attempts)
	d.Add("succeeded", "%d", s.Succeeded)
	d.Add("seconds of robot time", "%.0f", s.Seconds)
	d.Add("success expected", "%.3f", s.Success)
	d.Add("not known", "%d", len(s.Unknown))
	d.Add("resets asked for", "%d", s.Resets)
}
