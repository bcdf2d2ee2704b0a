package node

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/camera"
	"stripswm/nodes/ros"
)

// errNotActive is the error of goals while the node is not active.
var errNotActive = errors.New("the planner is not active: configure and activate it")

// errDeactivated ends the goals that deactivate finds.
var errDeactivated = fmt.Errorf("the planner was deactivated or is being shut down: %w",
	errNotActive)

// errBusy refuses a goal while another is worked on.
var errBusy = errors.New("another goal is being worked on: cancel it first")

// errReplaced ends the planning to a topic's goal when another goal comes.
var errReplaced = errors.New("another goal has come")

// Planner is the planner node.
type Planner struct {
	node      *ros.Node
	params    *params
	lifecycle *ros.Managed
	out       *outputs
	wanted    chan *goalImage // the newest of the goal topic, for the worker

	busy chan struct{} // full while a goal is worked on

	mu      sync.Mutex
	session *session                // from configure to cleanup
	active  *active                 // from activate to deactivate
	topic   *goalImage              // newest of the goal topic
	yield   context.CancelCauseFunc // ends planning to a topic's goal; nil while there is none
}

// active is the time between activate and deactivate.
type active struct {
	session *session
	ctx     context.Context
	cancel  context.CancelCauseFunc
	work    sync.WaitGroup // goals and the worker
}

// New makes the planner's parameters, topics, services and action on a node. It
// begins unconfigured.
func New(n *ros.Node) (*Planner, error) {
	p := &Planner{node: n, wanted: make(chan *goalImage, 1), busy: make(chan struct{}, 1)}
	var err error
	if p.params, err = declareParams(n); err != nil {
		return nil, err
	}
	if p.out, err = newOutputs(n); err != nil {
		return nil, err
	}
	if err := p.serve(); err != nil {
		return nil, err
	}
	p.lifecycle, err = ros.Manage(n, ros.Lifecycle{
		Configure: p.configure, Activate: p.activate, Deactivate: p.deactivate, Cleanup: p.cleanup,
		Shutdown: func(ctx context.Context) error {
			return errors.Join(p.deactivate(ctx),
				p.cleanup(ctx))
		},
	})
	return p, errors.Join(err, n.Diagnose("planner", p.diagnose))
}

// Start configures and activates.
func (p *Planner) Start(ctx context.Context) error {
	if err := p.lifecycle.Configure(ctx); err != nil {
		return err
	}
	return p.lifecycle.Activate(ctx)
}

// Close stops working on goals and lets go of the bundle. Close the node after it.
func (p *Planner) Close(ctx context.Context) error {
	if p.lifecycle.State() == ros.Finalized {
		return nil
	}
	return p.lifecycle.Shutdown(ctx)
}

func (p *Planner) configure(context.Context) error {
	s, err := open(p.node, p.params)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.session = s
	return nil
}

func (p *Planner) activate(context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := &active{session: p.session}
	a.ctx, a.cancel = context.WithCancelCause(p.node.Context())
	p.active = a
	a.work.Go(func() { p.takeTopicGoals(a) })
	if rate := p.params.observeRate.Get(); rate > 0 {
		p.node.Every(a.ctx, time.Duration(float64(time.Second)/rate), func(time.Time) { p.observe() })
	}
	return nil
}

func (p *Planner) deactivate(context.Context) error {
	p.mu.Lock()
	a := p.active
	p.active = nil
	p.mu.Unlock()
	if a == nil {
		return nil
	}
	a.cancel(errDeactivated)
	a.work.Wait()
	return nil
}

func (p *Planner) cleanup(context.Context) error {
	p.mu.Lock()
	s := p.session
	p.session = nil
	p.mu.Unlock()
	if s == nil {
		return nil
	}
	return s.close()
}

// enter begins work that deactivate waits for. The context ends with ctx, or
// with errDeactivated when the node is deactivated.
func (p *Planner) enter(ctx context.Context) (context.Context, *session, func(), error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.active
	if a == nil {
		return nil, nil, nil, errNotActive
	}
	a.work.Add(1)
	ctx, cancel := context.WithCancelCause(ctx)
	release := context.AfterFunc(a.ctx, func() { cancel(context.Cause(a.ctx)) })
	return ctx, a.session, func() { release(); cancel(nil); a.work.Done() }, nil
}

// maxWaiting is how many goals of the action may wait: their images of 640x480 are 90 MB.
const maxWaiting = 100

// claimPatience is the wait for a goal that is only planned to, which ends soon.
const claimPatience = 500 * time.Millisecond

// claimSoon is claim for goals that are out of date by the time that others have ended.
func (p *Planner) claimSoon(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, claimPatience, errBusy)
	defer cancel()
	return p.claim(ctx)
}

// claim begins the work on a goal, until release. It waits for the one that is worked on.
func (p *Planner) claim(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	select {
	case p.busy <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// giveWay ends the work on a topic's goal that is only planned to: on an image that is not
// recognized it would last as long as its limit.
func (p *Planner) giveWay() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.yield != nil {
		p.yield(errReplaced)
	}
}

func (p *Planner) release() { <-p.busy }

// serve makes what goals arrive by.
func (p *Planner) serve() error {
	if _, err := ros.Subscribe(p.node, "goal_image", ros.Default, func(m *msgs.Image, i ros.Info) {
		p.hear(camera.ImageOf(m.Header, i.Received, m))
	}); err != nil {
		return err
	}
	if _, err := ros.Subscribe(p.node, "goal_image/compressed", ros.Default,
		func(m *msgs.CompressedImage, i ros.Info) {
			p.hear(camera.ImageOf(m.Header, i.Received, m))
		}); err != nil {
		return err
	}
	return errors.Join(ros.Trigger(p.node, "~/plan", p.planTopic),
		ros.Trigger(p.node, "~/confirm", p.confirm),
		ros.ServeAction(p.node, "plan_to_image", ros.Action[*msgs.PlanToImageGoal,
			*msgs.PlanToImageFeedback, *msgs.PlanToImageResult]{Waiting: maxWaiting,
			Execute: p.planAction}))
}
