package node

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"stripswm/models/pixels"
	"stripswm/models/planner"
	"stripswm/msgs"
	"stripswm/nodes/execute"
	"stripswm/nodes/ros"
)

// latencies kept for the percentiles.
const keptLatencies = 1000

// outputs publishes what is seen, planned and done, and counts it.
type outputs struct {
	node   *ros.Node
	plans  *ros.Publisher[*msgs.ActionSequence]
	states *ros.Publisher[*msgs.PredicateState]
	images *ros.Publisher[*msgs.Image]

	mu      sync.Mutex
	last    execute.Observation
	names   []string // of the present plan's actions
	step    int
	counts  counts
	latency []time.Duration // goal frame received to plan published; a ring
	filled  int
}

// counts are what diagnostics tell.
type counts struct {
	Plans, Failed, Executions, Reached, Skills, Retries, Replans int
	// steps of plans that are nondeterministic
	Uncertain int
	LastError string
}

func newOutputs(n *ros.Node) (*outputs, error) {
	o := &outputs{node: n}
	var errs [3]error
	o.plans, errs[0] = ros.Advertise[*msgs.ActionSequence](n, "action_sequence", ros.Latched)
	o.states, errs[1] = ros.Advertise[*msgs.PredicateState](n, "predicate_state", ros.Default)
	o.images, errs[2] = ros.Advertise[*msgs.Image](n, "plan_image", ros.SensorData)
	return o, errors.Join(errs[:]...)
}

// plan publishes a new plan. The time from the goal's arrival counts for the
// first one of each goal.
func (o *outputs) plan(s *session, r planner.Result, m *msgs.ActionSequence, goal *goalImage) {
	o.node.WarnOf("not published: action_sequence", o.plans.Publish(m))
	took := time.Since(goal.received)
	o.mu.Lock()
	o.names, o.step = s.names(r.Plan), 0
	o.counts.Plans++
	o.counts.Uncertain += len(r.Uncertain)
	first := !goal.planned
	goal.planned = true
	if first {
		o.keep(took)
	}
	o.mu.Unlock()
	for _, c := range r.Uncertain {
		o.node.Log().Warn("the plan counts on a nondeterministic outcome", "skill",
			s.names(r.Plan)[c.Step], "odds", c.String())
	}
	o.node.Log().Info("plan", "actions", fmt.Sprint(r.Plan), "names", fmt.Sprint(s.names(r.Plan)),
		"search_ms", fmt.Sprintf("%.1f", 1e3*r.Elapsed.Seconds()), "ms",
		fmt.Sprintf("%.1f", 1e3*took.Seconds()))
}

// keep puts a latency into the ring.
func (o *outputs) keep(d time.Duration) {
	if len(o.latency) < keptLatencies {
		o.latency = append(o.latency, d)
	} else {
		o.latency[o.filled%keptLatencies] = d
	}
	o.filled++
}

// advance moves the shown plan on.
func (o *outputs) advance(step execute.Step) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.step = step.Index
	if step.Decision == execute.Advance || step.Decision == execute.Reached {
		o.step++
	}
}

// count adds a goal that has ended.
func (o *outputs) count(executed bool, r execute.Result, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	c := &o.counts
	c.Skills, c.Retries, c.Replans = c.Skills+r.Attempts, c.Retries+r.Retries, c.Replans+r.Replans
	if executed {
		c.Executions++
	}
	if executed && err == nil {
		c.Reached++
	}
	if err != nil {
		c.Failed++
		c.LastError = err.Error()
	}
}

// show publishes what an image shows and, to those who watch, the image.
func (o *outputs) show(s *session, seen execute.Observation) {
	o.mu.Lock()
	o.last = seen
	caption := caption{State: seen.Code.String(), Node: int(seen.Node), Confidence: confidence(seen),
		Warning: seen.Reason, Plan: o.names, Step: o.step}
	o.mu.Unlock()
	m := s.observed(seen)
	o.node.WarnOf("not published: predicate_state", o.states.Publish(&m))
	if o.images.Subscribers() == 0 {
		return
	}
	f, _ := s.camera.Newest()
	img, err := f.RGB(s.images.Frame().Bits)
	if err != nil {
		return // the error was logged when the frame was recognized
	}
	if seen.Where != (pixels.Region{}) {
		img = seen.Where.Outlined(img)
	}
	o.node.WarnOf("not published: plan_image",
		o.images.Publish(msgs.NewImage(f.Header, annotate(img.Image(), caption))))
}

// shown is when the last image that was looked at was taken.
func (o *outputs) shown() time.Time {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.last.Taken
}

// confidence is the probability of the least certain predicate's value.
func confidence(o execute.Observation) float32 {
	c := float32(1)
	for _, p := range o.Probabilities {
		c = min(c, max(p, 1-p))
	}
	return c
}

// percentile of the kept latencies, 0 if there are none.
func (o *outputs) percentile(q float64) time.Duration {
	if len(o.latency) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(o.latency))
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}

// staleCamera is the age from which the camera's last frame is a warning.
const staleCamera = 2 * time.Second

// diagnose tells of the node's health.
func (p *Planner) diagnose(now time.Time, status *msgs.DiagnosticStatus) {
	p.mu.Lock()
	s := p.session
	p.mu.Unlock()
	status.Message = p.lifecycleState()
	status.Add("lifecycle", "%s", status.Message)
	if s != nil {
		p.diagnoseSession(s, now, status)
	}
	o := p.out
	o.mu.Lock()
	c := o.counts
	p50, p99 := o.percentile(0.50), o.percentile(0.99)
	last := o.last
	o.mu.Unlock()
	status.Add("state", "%s", last.Code)
	status.Add("recognized", "%t %s", last.Recognized(), last.Reason)
	if last.Where != (pixels.Region{}) {
		status.Add("unlike what was recorded", "%s", last.Where.Words())
	}
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
	status.Add("confirmed", "%t", s.images.Confirmed())
	change := s.observer.Change()
	status.Add("camera has", "%s", change.Words())
	status.Add("light", "%s", change.Light())
	if change.Bumped() {
		status.Level, status.Message = msgs.DiagnosticStatusWarn, "the camera has "+change.Words()
	}
	f, count := s.camera.Newest()
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
	age := now.Sub(f.Received)
	status.Add("frame age ms", "%d", age.Milliseconds())
	if age > staleCamera {
		status.Level, status.Message = msgs.DiagnosticStatusWarn, fmt.Sprintf(
			"the last camera image is %v old", age.Round(time.Second))
	}
}
