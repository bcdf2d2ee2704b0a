package node

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"stripswm/internal/clocks"
	"stripswm/models/bundle"
	"stripswm/models/identity"
	"stripswm/models/inference"
	"stripswm/models/operators"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/vision"
	"stripswm/msgs"
	"stripswm/nodes/camera"
	"stripswm/nodes/learn/incremental"
	"stripswm/nodes/ros"
)

// How long codes of frames are kept, which bounds the length of a skill, and how
// near a frame must be to stand for one that was lost on the way. A transition waits for
// its frames, which the encoder may be behind with, until so many wait.
const (
	keepCodes  = 10 * time.Minute
	nearFrame  = 100 * time.Millisecond
	maxWaiting = 100
)

// watch relearns operators as transitions arrive.
type watch struct {
	node    *ros.Node
	updates *ros.Publisher[*msgs.String]
	wake    chan struct{}

	coding sync.Mutex    // held while the encoder runs
	coder  *vision.Coder // nil once closed
	bits   int           // of the camera

	learner *incremental.Learner

	publishing sync.Mutex
	published  int // attempts in the update that was published last

	mu      sync.Mutex
	frames  incremental.FrameCodes
	waiting []*msgs.Transition // for their frames
	missed  int                // attempts whose frames were not seen
	scene   continuity
}

// Watch begins to relearn operators from /transitions and camera/image_raw with
// the encoder of a bundle, and publishes each incremental.Update as JSON on
// ~/model (std_msgs/String). Actions are numbered from 1 to the parameter actions,
// or as in the bundle if that is 0.
func (l *Learner) Watch(dir string) error {
	b, err := bundle.Open(dir)
	if err != nil {
		return err
	}
	known, err := b.TaskGraph()
	if err != nil {
		return err
	}
	coder, err := vision.OpenCoder(b, inference.Options{})
	if err != nil {
		return err
	}
	actions := known.NumActions()
	if n := int(l.params.actions.Get()); n > 0 {
		actions = n
	}
	labels := make([]string, actions)
	for i := range labels {
		labels[i] = fmt.Sprintf("action_%d", i+1)
	}
	w := &watch{
		node: l.node, coder: &coder, bits: coder.Frame().Bits, wake: make(chan struct{}, 1),
		frames: incremental.FrameCodes{Keep: keepCodes, Near: nearFrame}, scene: continuity{broken: true},
		learner: incremental.New(labels, incremental.Options{
			MinSupport: l.params.minSupport.Get(), Splits: identity.SplitsOf(known),
			Operators: operators.Options{Budget: time.Second}}),
	}
	if w.updates, err = ros.Advertise[*msgs.String](l.node, "~/model", ros.Latched); err != nil {
		return err
	}
	if _, err := camera.Open(l.node, "camera/image_raw", camera.Transport(l.params.transport.Get()),
		ros.SensorData.Depth, w.see); err != nil {
		return err
	}
	if _, err := ros.Subscribe(l.node, "scene_reset", ros.Default, func(*msgs.String, ros.Info) {
		w.reset()
	}); err != nil {
		return err
	}
	_, err = ros.Subscribe(l.node, "transitions", ros.QoS{Depth: 100},
		func(m *msgs.Transition, _ ros.Info) { w.hear(m) })
	go w.learn(l.node.Context())
	return err
}

// see remembers the code of a frame.
func (w *watch) see(i camera.Image) {
	img, err := i.RGB(w.bits)
	if err != nil {
		w.node.Log().Warn("camera image left aside", "error", err)
		return
	}
	code, err := w.code(img)
	if err != nil {
		if w.node.Context().Err() == nil {
			w.node.Log().Warn("camera image left aside", "error", err)
		}
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	stamp, _ := clocks.Stamp(i.Header.Stamp, i.Received) // nearly that of the recorder, if zero
	w.frames.Add(stamp, code)
	w.takeWaiting()
}

func (w *watch) code(img pixels.RGB) (identity.Code, error) {
	w.coding.Lock()
	defer w.coding.Unlock()
	if w.coder == nil {
		return "", ros.ErrClosed
	}
	return w.coder.Code(img)
}

// close frees the encoder.
func (w *watch) close() {
	w.coding.Lock()
	defer w.coding.Unlock()
	if err := w.coder.Close(); err != nil {
		w.node.Log().Warn("close the encoder", "error", err)
	}
	w.coder = nil
}

// reset takes that somebody changed the scene.
func (w *watch) reset() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.scene.resets(w.node.Clock().Now())
}

// hear has an acknowledged transition wait for its frames.
func (w *watch) hear(m *msgs.Transition) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting = append(w.waiting, m)
	w.takeWaiting()
}

// takeWaiting adds the transitions whose frames have come, in order.
func (w *watch) takeWaiting() {
	for len(w.waiting) > 0 {
		m := w.waiting[0]
		if !w.frames.Reached(m.After.GoTime()) && len(w.waiting) <= maxWaiting {
			return
		}
		w.waiting = w.waiting[1:]
		w.add(m)
	}
}

// add adds a transition; failed ones are evidence of nothing.
func (w *watch) add(m *msgs.Transition) {
	if m.Outcome == msgs.TransitionFailed {
		w.scene.breaks()
		return
	}
	before, ok := w.frames.At(m.Before.GoTime())
	after, okAfter := w.frames.At(m.After.GoTime())
	if !ok || !okAfter {
		w.missed++
		w.scene.breaks()
		w.node.Log().Warn("transition left aside: its frames were not seen", "action", m.Action, "so far",
			w.missed)
		return
	}
	refused := m.Outcome == msgs.TransitionRefused
	err := w.learner.Observe(incremental.CodeAttempt{Before: before, Action: strips.ActionID(m.Action),
		After: after, Refused: refused, Follows: !w.scene.broken})
	if err != nil {
		w.node.Log().Warn("transition left aside", "error", err)
		w.scene.breaks()
		return
	}
	w.scene.mends(m.After.GoTime(), refused)
	select {
	case w.wake <- struct{}{}:
	default: // learning is behind: the next round takes all
	}
}

// learn relearns whenever something new has come, and has the model improved
// beside that.
func (w *watch) learn(ctx context.Context) {
	defer w.close()
	news := make(chan struct{}, 1)
	go func() {
		for range news {
			u, improved, err := w.learner.Improve(ctx)
			if improved || err != nil {
				w.tell(ctx, u, err)
			}
		}
	}()
	defer close(news)
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.wake:
		}
		u, err := w.learner.Learn(ctx)
		w.tell(ctx, u, err)
		select {
		case news <- struct{}{}:
		default: // improving is behind: the next round takes the latest
		}
	}
}

// tell publishes what was learned, unless later attempts are in what was told before.
func (w *watch) tell(ctx context.Context, u incremental.Update, err error) {
	w.publishing.Lock()
	defer w.publishing.Unlock()
	if err == nil && u.Attempts < w.published {
		return
	}
	var text []byte
	if err == nil {
		text, err = json.Marshal(u)
	}
	if err == nil {
		w.published = u.Attempts
		err = w.updates.Publish(&msgs.String{Data: string(text)})
	}
	if err != nil && ctx.Err() == nil {
		w.node.Log().Warn("operators not learned or not published", "error", err)
	}
}

// continuity knows whether the next transition finds what the last one left.
type continuity struct {
	broken bool
	reset  time.Time // when it was last heard that somebody changed the scene
}

// breaks is a transition of which it is not known what it left.
func (c *continuity) breaks() { c.broken = true }

// resets is somebody changing the scene, heard of at a time.
func (c *continuity) resets(at time.Time) { c.broken, c.reset = true, at }

// mends is a transition whose image after was taken at a time. One from before the reset that was
// heard of after it, on another topic, mends nothing; nor does a refused one, which leaves the
// scene as it is.
func (c *continuity) mends(after time.Time, refused bool) {
	c.broken = c.broken && refused || !after.After(c.reset)
}
