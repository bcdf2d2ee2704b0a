package node

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	policy "stripswm/models/exploration"
	"stripswm/models/exploration/images"
	"stripswm/models/facts"
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
	recorder    *ros.Subscription
	transitions chan *msgs.Transition
	camera      *camera.Latest
	skills      *skills.Client

	// Of the goroutine of Run.
	explorer *exploration.Explorer
	shown    [2]pixels.Thumbnail // before and after the last attempt, nil where no image came
	last     *msgs.Transition    // attempt of ours
	lost     int                 // attempts in a row that were not recorded
	begun    time.Time           // when the last attempt might begin

	mu     sync.Mutex
	paused bool
	reset  bool          // the scene is not what the last attempt left
	news   chan struct{} // closed and replaced when one of these changes
	status Status
	said   string // the status that was published last
	heard  heard
}

// waiting is how many transitions, and resets, may wait: each of them counts.
const waiting = 1000

// New makes the explorer's parameters, topics and services on a node.
func New(n *ros.Node) (*Explorer, error) {
	s, err := declareAll(n)
	if err != nil {
		return nil, err
	}
	e := &Explorer{node: n, settings: s, patience: usual,
		transitions: make(chan *msgs.Transition, waiting), news: make(chan struct{})}
	var errs [5]error
	e.statuses, errs[0] = ros.Advertise[*msgs.String](n, "~/status", ros.Latched)
	e.requests, errs[1] = ros.Advertise[*msgs.String](n, "~/reset_request", ros.Latched)
	e.skills, errs[2] = skills.Open(n)
	e.camera, errs[3] = camera.OpenLatest(n, s.transport)
	e.recorder, errs[4] = ros.Subscribe(n, "transitions", ros.QoS{Depth: waiting},
		func(m *msgs.Transition, _ ros.Info) {
			select {
			case e.transitions <- m:
			case <-n.Context().Done():
			}
		})
	_, reset := ros.Subscribe(n, "scene_reset", ros.QoS{Depth: waiting},
		func(*msgs.String, ros.Info) { e.disturb() })
	_, status := ros.Subscribe(n, "skill_status", ros.QoS{Depth: waiting},
		func(m *msgs.SkillStatus, _ ros.Info) { e.hear(m) })
	if err := errors.Join(append(errs[:], reset, status,
		ros.Trigger(n, "~/pause", func(context.Context) (string, error) { return e.pause(true) }),
		ros.Trigger(n, "~/resume", func(context.Context) (string, error) { return e.pause(false) }),
		n.Diagnose("explorer", e.diagnose))...); err != nil {
		return nil, err
	}
	return e, nil
}

// Run explores. When ctx ends, so does a skill that runs; what was attempted is recorded.
func (e *Explorer) Run(ctx context.Context) (exploration.Status, error) {
	var s exploration.Status
	if err := e.gather(ctx); err != nil {
		return s, err
	}
	x, err := e.open(ctx, &s)
	if err != nil {
		return s, err
	}
	s, err = x.Run(ctx, s)
	if err == nil {
		e.tell(func(t *Status) { t.State, t.Status = done, s })
	}
	return s, err
}

// open makes the explorer of the skills, with all that is recorded if something is.
func (e *Explorer) open(ctx context.Context, s *exploration.Status) (*exploration.Explorer, error) {
	past, err := e.recording()
	if err != nil {
		return nil, err
	}
	if past != nil {
		defer past.Close()
		if err := e.about(ctx, past); err != nil {
			return nil, fmt.Errorf("go on from %s: %w", e.settings.bag, err)
		}
	}
	if len(e.settings.labels) == 0 {
		return nil, errors.New(
			"the parameters names and actions are empty: set names to those of the executor's skills, or " +
				"actions to their number")
	}
	p, err := policy.New(len(e.settings.labels), e.settings.options)
	if err != nil {
		return nil, err
	}
	e.explorer = &exploration.Explorer{Policy: images.New(p), Robot: robot{e}, Ready: e.ready,
		Images: e.pair, Decode: e.decode,
		Names: e.settings.labels, Budget: e.settings.budget, Time: e.settings.time,
		TargetCoverage: e.settings.coverage, Successes: facts.MinIntervals,
		Progress: func(s exploration.Status) { e.tell(func(t *Status) { t.Status = s }) }}
	if past != nil {
		if err := e.recall(ctx, e.explorer, past, s); err != nil {
			return nil, fmt.Errorf("go on from %s: %w", e.settings.bag, err)
		}
	}
	return e.explorer, nil
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
		{e.camera.Absent() == "", "a camera (topic camera/image_raw)"},
	} {
		if !other.there {
			all = append(all, other.name)
		}
	}
	return all
}
