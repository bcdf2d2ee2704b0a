package node

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"stripswm/models/pixels"
	"stripswm/msgs"
	"stripswm/nodes/camera"
	"stripswm/nodes/exploration"
	"stripswm/nodes/ros"
	"stripswm/nodes/skills"
)

// Explorer is the explorer node.
type Explorer struct {
	node     *ros.Node
	settings settings
	patience patience

	statuses    *ros.Publisher[*msgs.String]
	requests    *ros.Publisher[*msgs.String]
	resets      *ros.Publisher[*msgs.String]
	diagnostics *ros.Publisher[*msgs.DiagnosticArray]
	recorder    *ros.Subscription
	transitions chan *msgs.Transition
	camera      *camera.Camera
	film        *film
	skills      *skills.Client
	learner     *learner

	// Of the goroutine of Run.
	session  *exploration.Session
	observed pixels.RGB       // the last image that was looked at
	after    time.Time        // of the last attempt's image after
	last     *msgs.Transition // attempt of ours
	made     int              // which of the session's that is
	lost     int              // attempts in a row that were not seen

	mu     sync.Mutex
	paused bool
	reset  bool          // the scene is not what the last attempt left
	news   chan struct{} // closed and replaced when one of these changes
	status Status
}

// waiting is how many transitions, and resets, may wait: each of them counts.
const waiting = 1000

// New makes the explorer's parameters, topics and services on a node.
func New(n *ros.Node) (*Explorer, error) {
	s, err := declareAll(n)
	if err != nil {
		return nil, err
	}
	e := &Explorer{node: n, settings: s, patience: usual, film: newFilm(),
		transitions: make(chan *msgs.Transition, waiting), news: make(chan struct{})}
	var errs [11]error
	e.statuses, errs[0] = ros.Advertise[*msgs.String](n, "~/status", ros.Latched)
	e.requests, errs[1] = ros.Advertise[*msgs.String](n, "~/reset_request", ros.Latched)
	e.diagnostics, errs[2] = ros.Advertise[*msgs.DiagnosticArray](n, "/diagnostics", ros.Default)
	e.learner, errs[3] = newLearner(n, &e.patience)
	e.skills, errs[4] = skills.Open(n)
	e.camera, errs[5] = camera.Open(n, "camera/image_raw", s.transport, ros.SensorData.Depth,
		e.film.put)
	_, errs[6] = ros.Subscribe(n, "scene_reset", ros.QoS{Depth: waiting},
		func(*msgs.String, ros.Info) { e.disturb() })
	e.recorder, errs[7] = ros.Subscribe(n, "transitions", ros.QoS{Depth: waiting},
		func(m *msgs.Transition, _ ros.Info) {
			select {
			case e.transitions <- m:
			case <-n.Context().Done():
			}
		})
	serve := func(name string, on bool) error {
		_, err := ros.Serve(n, name, func(context.Context, *msgs.TriggerRequest) *msgs.TriggerResponse {
			return e.pause(on)
		})
		return err
	}
	e.resets, errs[10] = ros.Advertise[*msgs.String](n, "scene_reset", ros.Default)
	errs[8], errs[9] = serve("~/pause", true), serve("~/resume", false)
	if err := errors.Join(errs[:]...); err != nil {
		return nil, err
	}
	n.Every(n.Context(), time.Second, e.diagnose)
	return e, nil
}

// Run explores. When ctx ends, so does a skill that runs; what was attempted is recorded.
func (e *Explorer) Run(ctx context.Context) (exploration.Status, error) {
	if err := e.gather(ctx); err != nil {
		return exploration.Status{}, err
	}
	if err := e.open(ctx); err != nil {
		return exploration.Status{}, err
	}
	if e.settings.method == byFacts {
		s, err := e.informed(ctx)
		if err == nil {
			e.tell(func(t *Status) { t.State, t.Status, t.Facts = done, s.Common(), &s })
		}
		return s.Common(), err
	}
	x := exploration.Explorer{
		Session: e.session, Robot: robot{e}, Observe: e.observe, Moved: e.moved, Learn: e.learn,
		Accepted: e.keep, Wait: e.settings.wait,
		Budget: e.settings.budget, Time: e.settings.time, TargetCoverage: e.settings.coverage,
		Rate:     e.settings.rate,
		Progress: e.progress,
	}
	if e.settings.best != "" {
		x.Refit = e.refit
	}
	s, err := x.Run(ctx)
	if err == nil {
		e.tell(func(t *Status) { t.State, t.Status = done, s })
	}
	return s, err
}

func (e *Explorer) progress(s exploration.Status) {
	e.tell(func(t *Status) { t.Status = s })
}

// gather waits until all are there whom the explorer needs.
func (e *Explorer) gather(ctx context.Context) error {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		missing := e.missing()
		if len(missing) == 0 {
			return ctx.Err()
		}
		e.say("waits for " + strings.Join(missing, ", "))
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("not begun for want of %s: %w", strings.Join(missing, ", "), ctx.Err())
		}
	}
}

func (e *Explorer) missing() (all []string) {
	for _, other := range []struct {
		there bool
		name  string
	}{
		{e.skills.Ready(), "a skill executor (action execute_skill)"},
		{e.recorder.Publishers() > 0, "a recorder (topic transitions)"},
		{e.records(), "a recording in " + e.settings.bag + " (parameter bag)"},
		{e.settings.method == byFacts || e.learner.found(), "a learner (service learner/start)"},
		{e.camera.Absent() == "", "a camera (topic camera/image_raw)"},
	} {
		if !other.there {
			all = append(all, other.name)
		}
	}
	return all
}
