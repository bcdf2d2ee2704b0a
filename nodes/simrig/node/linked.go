package node

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"stripswm/msgs"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/gazebo"
	"stripswm/nodes/sim/record"
	"stripswm/nodes/sim/scene"
	"stripswm/nodes/sim/sdf"
	"stripswm/nodes/sim/workcell"
)

// linked is a Gazebo classic that the rig talks to over Gazebo's own transport. Its camera's images
// are published as the rig's.
type linked struct {
	rig   *Node
	world *sim.World
	where string // Gazebo is
	link  *gazebo.Kept

	showing sync.Mutex // one state at a time
	shows   uint64
	shown   []gazebo.Body

	mu     sync.Mutex
	last   gazebo.Image
	hidden bool // images are not published
}

// dialer links to the world of a name, and hands its images on.
type dialer func(ctx context.Context, world string, images func(gazebo.Image)) (gazebo.Link, error)

func (r *Node) openClassic() error {
	return r.openLinked(r.settings.master, func(ctx context.Context, world string,
		images func(gazebo.Image)) (gazebo.Link, error) {
		return gazebo.Connect(ctx, r.settings.master, world, images)
	})
}

func (r *Node) openLinked(where string, dial dialer) error {
	world, err := r.settings.simulated()
	if err != nil {
		return err
	}
	l := &linked{rig: r, world: world, where: where}
	if _, err := l.bodies(world.Initial()); err != nil {
		return err // at once, where the world has no bodies
	}
	e, err := r.advertiseImages()
	if err != nil {
		return err
	}
	r.stage = l
	name := sim.Table(world).Name()
	l.showing.Lock() // changed may be called before Keep returns
	defer l.showing.Unlock()
	l.link = gazebo.Keep(r.node.Context(), func(ctx context.Context) (gazebo.Link, error) {
		return dial(ctx, name, func(p gazebo.Image) { l.see(e, p) })
	}, l.changed)
	return nil
}

// changed tells that there is a link, or none, and has a new one show the state.
func (l *linked) changed(err error) {
	log := l.rig.node.Log()
	if err != nil {
		if l.rig.node.Context().Err() == nil {
			log.Error("gazebo does not show the world", "at", l.where, "error", err)
		}
		return
	}
	log.Info("gazebo shows the world", "at", l.where, "world", sim.Table(l.world).Name())
	go func() { l.rig.node.WarnOf("not published: state", l.rig.show()) }()
}

// see takes an image that has come.
func (l *linked) see(e imagePublisher, p gazebo.Image) {
	l.mu.Lock()
	l.last = p
	hidden := l.hidden
	l.mu.Unlock()
	if hidden {
		return
	}
	if m := rgb8(p.Width, p.Height, p.RGB); l.rig.cell.Capture(m.Data) {
		l.rig.publish(e, m, l.rig.node.Clock().Now())
	}
}

func (l *linked) ready() error { return l.link.Err() }

// show puts every body where the state has it, a little off as the nuisance has it.
func (l *linked) show(ctx context.Context, s sim.State) error {
	l.showing.Lock()
	defer l.showing.Unlock()
	bodies, err := l.bodies(s)
	if err != nil {
		return err
	}
	if err := l.link.Show(ctx, bodies); err != nil {
		return fmt.Errorf("gazebo does not show the state: %w", err)
	}
	l.shown = bodies
	return nil
}

func (l *linked) bodies(s sim.State) ([]gazebo.Body, error) {
	seed := record.EvaluationSeed(uint64(l.rig.settings.seed), l.shows)
	l.shows++
	poses, err := sdf.Poses(l.world, s, scene.NewJitter(seed, l.rig.settings.nuisance))
	if err != nil {
		return nil, err
	}
	bodies := make([]gazebo.Body, len(poses))
	for i, p := range poses {
		bodies[i] = gazebo.Body{Name: p.Model, Position: [3]float64{p.At.X, p.At.Y, p.At.Z}}
		o := &bodies[i].Orientation
		o[0], o[1], o[2], o[3] = p.Quaternion()
	}
	return bodies, nil
}

// newGoal has Gazebo show the goal for an image of it, then what it showed before. Nothing is
// published meanwhile, as the rig is not in that state.
func (l *linked) newGoal() (string, *msgs.Image, error) {
	l.showing.Lock()
	defer l.showing.Unlock()
	state, text, err := l.rig.cell.DrawGoal()
	if err != nil {
		return "", nil, err
	}
	bodies, err := l.bodies(state)
	if err != nil {
		return "", nil, err
	}
	l.hide(true)
	defer l.hide(false)
	ctx := l.rig.node.Context()
	err = l.link.Show(ctx, bodies)
	l.mu.Lock()
	p := l.last
	l.mu.Unlock()
	if err := errors.Join(err, l.link.Show(ctx, l.shown)); err != nil {
		return "", nil, fmt.Errorf("gazebo does not show the goal: %w", err)
	}
	m := rgb8(p.Width, p.Height, p.RGB)
	m.Header = msgs.Header{Stamp: msgs.TimeFrom(l.rig.node.Clock().Now()), FrameID: frameID}
	return fmt.Sprintf("%d %s", state, text), m, nil
}

func (l *linked) hide(hidden bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hidden = hidden
}

// health of a link has the time of Gazebo's world, whose pace beside the clock's is the real-time
// factor.
func (l *linked) health(before, now workcell.TickCount) (level uint8, message string,
	values []msgs.KeyValue) {
	l.mu.Lock()
	values = []msgs.KeyValue{{Key: "gazebo's time", Value: fmt.Sprintf("%.3f", l.last.Time.Seconds())}}
	l.mu.Unlock()
	switch err := l.link.Err(); {
	case err != nil:
		return msgs.DiagnosticStatusError, err.Error(), values
	case now.Sent == before.Sent:
		return msgs.DiagnosticStatusWarn, "gazebo sends no images", values
	}
	return msgs.DiagnosticStatusOk, "gazebo sends images", values
}
