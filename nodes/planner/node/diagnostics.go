package node

import (
	"fmt"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/ros"
)

// staleCamera is the age from which the camera's last frame is a warning.
const staleCamera = 2 * time.Second

// diagnose publishes the node's health.
func (p *Planner) diagnose(now time.Time) {
	p.mu.Lock()
	s := p.session
	p.mu.Unlock()
	state := p.lifecycleState()
	status := msgs.DiagnosticStatus{Level: msgs.DiagnosticStatusOk, Name: p.node.Name().String() +
		": planner", HardwareID: "none", Message: state}
	status.Add("lifecycle", "%s", state)
	if s != nil {
		p.diagnoseSession(s, now, &status)
	}
	o := p.out
	o.mu.Lock()
	c := o.counts
	p50, p99 := o.percentile(0.50), o.percentile(0.99)
	last := o.last
	o.mu.Unlock()
	status.Add("state", "%s", last.Code)
	status.Add("recognized", "%t %s", last.Recognized(), last.Reason)
	status.Add("confidence", "%.3f", confidence(last))
	status.Add("plans", "%d", c.Plans)
	status.Add("uncertain steps", "%d", c.Uncertain)
	status.Add("goals failed", "%d", c.Failed)
	status.Add("executions", "%d", c.Executions)
	status.Add("goals reached", "%d", c.Reached)
	status.Add("skills", "%d", c.Skills)
	status.Add("retries", "%d", c.Retries)
	status.Add("replans", "%d", c.Replans)
	status.Add("goal to plan p50 ms", "%.1f", 1e3*p50.Seconds())
	status.Add("goal to plan p99 ms", "%.1f", 1e3*p99.Seconds())
	status.Add("last error", "%s", c.LastError)
	warnIf(p.node, "/diagnostics",
		o.diagnostics.Publish(&msgs.DiagnosticArray{Header: msgs.Header{Stamp: msgs.TimeFrom(now)},
			Status: []msgs.DiagnosticStatus{status}}))
}

func (p *Planner) lifecycleState() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.active != nil:
		return ros.Active.String()
	case p.session != nil:
		return ros.Inactive.String()
	}
	return ros.Unconfigured.String()
}

func (p *Planner) diagnoseSession(s *session, now time.Time, status *msgs.DiagnosticStatus) {
	status.Add("bundle", "%s", s.bundle)
	status.Add("actions", "%d", s.model.Actions())
	status.Add("operators", "%d", len(s.model.Operators))
	status.Add("device", "%s", s.images.Network().Device())
	if reason := s.images.Network().Fallback(); reason != nil {
		status.Level, status.Message = msgs.DiagnosticStatusWarn, "the classifier runs on the CPU"
		status.Add("fallback", "%s", reason)
	}
	f, count := s.camera.newest()
	latest, ever := s.camera.Since()
	status.Add("frames", "%d", count)
	status.Add("images that cannot be read", "%d", ever.Unreadable)
	if latest.Err != nil {
		p.node.Log().Warn("images cannot be read", "images", latest.Unreadable, "error", latest.Err)
	}
	switch absent := s.camera.Absent(); {
	case latest.Err != nil && latest.Read == 0:
		status.Level, status.Message = msgs.DiagnosticStatusError, "no image can be read: "+
			latest.Err.Error()
	case f == nil && absent != "":
		status.Level, status.Message = msgs.DiagnosticStatusWarn, "no camera image has arrived: "+absent
	case f == nil:
		status.Level, status.Message = msgs.DiagnosticStatusWarn, "no camera image has arrived"
	}
	if f == nil {
		return
	}
	delay, warning := s.camera.Clock()
	status.Add("camera delay, at least (ms)", "%.2f", 1e3*delay.Seconds())
	if warning != "" {
		status.Level, status.Message = msgs.DiagnosticStatusWarn, warning
	}
	age := now.Sub(f.received)
	status.Add("frame age ms", "%d", age.Milliseconds())
	if age > staleCamera {
		status.Level, status.Message = msgs.DiagnosticStatusWarn, fmt.Sprintf(
			"the last camera image is %v old", age.Round(time.Second))
	}
}
