package node

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"stripswm/models/identity"
	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/models/taskgraph"
	"stripswm/msgs"
	"stripswm/nodes/exploration"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/rostest"
)

// A table is all that an explorer is beside: a ring of places around which skill 1 goes one way and
// skill 2 the other, while nothing ever comes of skill 3; a camera, a skill executor, a recorder
// and a learner.
type table struct {
	t        *testing.T
	bus      *rostest.Bus
	node     *ros.Node
	images   *ros.Publisher[*msgs.Image]
	records  *ros.Publisher[*msgs.Transition]
	resets   *ros.Publisher[*msgs.String]
	progress *ros.Publisher[*msgs.DiagnosticStatus]
	bundles  *ros.Publisher[*msgs.String]
	rounds   []msgs.DiagnosticStatus // how learning ends; after them in a bundle
	encoder  *ros.Parameter[string]  // the learner's
	encoders []string                // it learned with
	log      *rostest.Log            // the explorer's

	mu      sync.Mutex
	place   int
	stamp   time.Time // of the last frame
	noImage bool      // frames are taken, and lost on the way
	dark    bool      // frames show nothing
	stiff   bool      // no skill does anything
	busy    int       // goals to reject
	tried   []uint32
	during  func()                           // called while a skill runs, with mu not held
	instead func(*msgs.Transition) (ok bool) // changes what is recorded; false: nothing is
}

const places = 4

func newTable(t *testing.T) *table {
	t.Helper()
	b := &table{t: t, bus: rostest.NewBus(), stamp: time.Unix(1000, 0), log: &rostest.Log{}}
	b.node = b.join("table")
	b.images = must(ros.Advertise[*msgs.Image](b.node, "camera/image_raw", ros.SensorData))
	b.records = must(ros.Advertise[*msgs.Transition](b.node, "transitions", ros.QoS{Depth: 100}))
	b.resets = must(ros.Advertise[*msgs.String](b.node, "scene_reset", ros.Default))
	b.progress = must(ros.Advertise[*msgs.DiagnosticStatus](b.node, "learner/progress", ros.Latched))
	b.bundles = must(ros.Advertise[*msgs.String](b.node, "learner/bundle", ros.Latched))
	must(ros.ServeAction(b.node, "execute_skill", ros.Action[*msgs.ExecuteSkillGoal,
		*msgs.ExecuteSkillFeedback, *msgs.ExecuteSkillResult]{Accept: b.accept, Execute: b.execute}))
	must(ros.Serve(b.node, "learner/start", b.learn))
	b.encoder = must(ros.Declare(b.join("learner"), "encoder_from", "", ros.Describe[string]{}))
	b.report(msgs.DiagnosticStatus{Name: "idle"})
	b.node.Every(b.node.Context(), 2*time.Millisecond, func(time.Time) { b.film() })
	return b
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// published panics where something was not, but for the test being over.
func published(err error) {
	if !errors.Is(err, ros.ErrClosed) {
		must(0, err)
	}
}

func (b *table) join(name string, params ...string) *ros.Node {
	arguments := []string{"--ros-args"}
	for _, p := range params {
		arguments = append(arguments, "-p", p)
	}
	n := must(ros.NewNode(b.bus.Join(), name, must(ros.ParseArgs(arguments)), ros.Options{Log: b.log}))
	b.t.Cleanup(func() { n.Close() })
	return n
}

// explorer makes one that does not wait long, and opens the table's recognizer.
func (b *table) explorer(params ...string) *Explorer {
	b.t.Helper()
	e, err := New(b.join("explorer", params...))
	if err != nil {
		b.t.Fatal(err)
	}
	e.patience = patience{transition: 200 * time.Millisecond, frame: 50 * time.Millisecond,
		camera: time.Minute, busy: time.Minute, learner: time.Minute, bundle: time.Minute}
	e.learner.open = func(dir string, _ pixels.Frame) (*exploration.Recognizer, error) {
		if dir != "bundle" {
			return nil, errors.New(dir + " is no bundle")
		}
		return exploration.NewRecognizer(reader{}, ring()), nil
	}
	return e
}

func (b *table) patience() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	b.t.Cleanup(cancel)
	return ctx
}

// reader reads a place off an image.
type reader struct{}

func (reader) RecognizeSquare(small pixels.RGB) (imageplan.Recognition, error) {
	return imageplan.Recognition{
		EncoderCode: identity.Code(fmt.Sprint((int(small.Pix[0]) + 10) / 20))}, nil
}

func (reader) Close() error { return nil }

// ring is the graph of all places.
func ring() *taskgraph.Graph {
	b := taskgraph.NewBuilder([]string{"on", "back", "nothing"})
	for i := range places {
		here, next := fmt.Sprint(i), fmt.Sprint((i+1)%places)
		must(0, b.Observe(here, 1, next))
		must(0, b.Observe(next, 2, here))
	}
	return b.Graph()
}

// side of the camera's images.
const side = 16

// image of a place has its number in its upper half.
func (b *table) image() *msgs.Image {
	m := &msgs.Image{Header: msgs.Header{Stamp: msgs.TimeFrom(b.stamp)}, Width: side, Height: side,
		Encoding: "rgb8", Step: 3 * side, Data: make([]byte, 3*side*side)}
	for i := range m.Data {
		if m.Data[i] = uint8(20 * b.place); i >= len(m.Data)/2 {
			m.Data[i] = 200
		}
	}
	if b.dark {
		clear(m.Data)
	}
	return m
}

// film takes an image and returns its stamp.
func (b *table) film() msgs.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stamp = b.stamp.Add(40 * time.Millisecond)
	m := b.image()
	if !b.noImage {
		published(b.images.Publish(m))
	}
	return m.Header.Stamp
}

func (b *table) set(change func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change()
}

func (b *table) accept(*msgs.ExecuteSkillGoal) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.busy > 0 {
		b.busy--
		return errors.New("busy")
	}
	return nil
}

func (b *table) execute(ctx context.Context, g *ros.ServerGoal[*msgs.ExecuteSkillGoal,
	*msgs.ExecuteSkillFeedback],
) (*msgs.ExecuteSkillResult, error) {
	m := &msgs.Transition{ImageTopic: "/camera/image_raw", Action: g.Goal.Action, Before: b.film(),
		Outcome: msgs.TransitionSucceeded}
	b.mu.Lock()
	b.tried = append(b.tried, g.Goal.Action)
	during, records := b.during, b.records
	switch {
	case b.stiff || g.Goal.Action == 3:
		m.Outcome = msgs.TransitionRefused
	case g.Goal.Action == 1:
		b.place = (b.place + 1) % places
	default:
		b.place = (b.place + places - 1) % places
	}
	b.mu.Unlock()
	if during != nil {
		during()
	}
	m.After = b.film()
	result := &msgs.ExecuteSkillResult{Outcome: m.Outcome} // the numbers are the same
	if b.instead == nil || b.instead(m) {
		published(records.Publish(m))
	}
	if ctx.Err() != nil {
		return result, ros.ErrCanceled
	}
	return result, nil
}

func (b *table) learn(context.Context, *msgs.TriggerRequest) *msgs.TriggerResponse {
	round := msgs.DiagnosticStatus{Name: "done", Message: "bundle"}
	if len(b.rounds) > 0 {
		round, b.rounds = b.rounds[0], b.rounds[1:]
	}
	b.encoders = append(b.encoders, b.encoder.Get())
	if round.Name == "" {
		return &msgs.TriggerResponse{Message: "the parameters bag and out are needed"}
	}
	b.report(msgs.DiagnosticStatus{Name: "stage 1"})
	b.report(round)
	return &msgs.TriggerResponse{Success: true}
}

func (b *table) report(s msgs.DiagnosticStatus) { must(0, b.progress.Publish(&s)) }

// somebody changes the scene, and says so.
func (b *table) somebody() {
	b.set(func() { b.place = (b.place + 2) % places })
	must(0, b.resets.Publish(&msgs.String{Data: "somebody"}))
}
