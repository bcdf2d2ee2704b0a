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
	status := msgs.DiagnosticStatus{Level: msgs.DiagnosticStatusOk, Name: p.node.Name().String() + ": planner", HardwareID: "none", Message: state}
	add := func(key string, format string, args ...any) {
		status.Values = append(status.Values, msgs.KeyValue{Key: key, Value: fmt.Sprintf(format, args...)})
	}
	add("lifecycle", "%s", state)
	if s != nil {
		p.diagnoseSession(s, now, &status, add)
	}
	o := p.out
	o.mu.Lock()
	c := o.counts
	p50, p99 := o.percentile(0.50), o.percentile(0.99)
	last := o.last
	o.mu.Unlock()
	add("state", "%s", last.Code)
	add("recognised", "%t %s", last.Recognized(), last.Reason)
	add("confidence", "%.3f", confidence(last))
	add("plans", "%d", c.Plans)
	add("steps left to chance", "%d", c.Chances)
	add("goals failed", "%d", c.Failed)
	add("executions", "%d", c.Executions)
	add("goals reached", "%d", c.Reached)
	add("skills", "%d", c.Skills)
	add("retries", "%d", c.Retries)
	add("replans", "%d", c.Replans)
	add("goal to plan p50 ms", "%.1f", 1e3*p50.Seconds())
	add("goal to plan p99 ms", "%.1f", 1e3*p99.Seconds())
	add("last error", "%s", c.LastError)
	warnIf(p.node, "/diagnostics", o.diagnostics.Publish(&msgs.DiagnosticArray{Header: msgs.Header{Stamp: msgs.TimeFrom(now)}, Status: []msgs.DiagnosticStatus{status}}))
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

func (p *Planner) diagnoseSession(s *session, now time.Time, status *msgs.DiagnosticStatus, add func(string, string, ...any)) {
	add("bundle", "%s", s.bundle)
	add("actions", "%d", s.model.Actions())
	add("operators", "%d", len(s.model.Operators))
	add("provider", "%s", s.pictures.Network().Provider())
	if reason := s.pictures.Network().Fallback(); reason != nil {
		status.Level, status.Message = msgs.DiagnosticStatusWarn, "the classifier runs on the CPU"
		add("fallback", "%s", reason)
	}
	f, count := s.camera.newest()
	latest, ever := s.camera.Since()
	add("frames", "%d", count)
	add("images that cannot be read", "%d", ever.Unreadable)
	if latest.Err != nil {
		p.node.Log().Warn("images cannot be read", "images", latest.Unreadable, "error", latest.Err)
	}
	switch absent := s.camera.Absent(); {
	case latest.Err != nil && latest.Read == 0:
		status.Level, status.Message = msgs.DiagnosticStatusError, "no image can be read: "+latest.Err.Error()
	case f == nil && absent != "":
		status.Level, status.Message = msgs.DiagnosticStatusWarn, "no camera image has arrived: "+absent
	case f == nil:
		status.Level, status.Message = msgs.DiagnosticStatusWarn, "no camera image has arrived"
	}
	if f == nil {
		return
	}
	age := now.Sub(f.stamp)
	add("frame age ms", "%d", age.Milliseconds())
	if age > staleCamera {
		status.Level, status.Message = msgs.DiagnosticStatusWarn, fmt.Sprintf("the last camera image is %v old", age.Round(time.Second))
	}
}
