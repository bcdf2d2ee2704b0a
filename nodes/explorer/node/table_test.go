package node

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/rostest"
)

// A table is all that an explorer is beside: a ring of places around which skill 1 goes one way and
// skill 2 the other, while nothing ever comes of skill 3; a camera, a skill executor and
// a recorder.
type table struct {
	t       *testing.T
	bus     *rostest.Bus
	node    *ros.Node
	images  *ros.Publisher[*msgs.Image]
	records *ros.Publisher[*msgs.Transition]
	resets  *ros.Publisher[*msgs.String]
	status  *ros.Publisher[*msgs.SkillStatus]
	log     *rostest.Log // the explorer's

	mu      sync.Mutex
	place   int
	stamp   time.Time                 // of the last frame
	dial    func(time.Time) msgs.Time // of a frame taken then
	held    int                       // frames that are under way, of 2 ms each
	under   []*msgs.Image
	dark    bool // frames show nothing
	stiff   bool // no skill does anything
	busy    int  // goals to reject
	tried   []uint32
	during  func()                           // called while a skill runs, with mu not held
	instead func(*msgs.Transition) (ok bool) // changes what is recorded; false: nothing is
	says    func(*msgs.SkillStatus)          // changes what the executor says
	silent  chan bool                        // goals are not answered before it is closed, if not nil
}

const places = 4

func newTable(t *testing.T) *table {
	t.Helper()
	b := &table{t: t, bus: rostest.NewBus(), stamp: time.Now(), dial: msgs.TimeFrom,
		log: &rostest.Log{}}
	b.node = b.join("table")
	b.images = must(ros.Advertise[*msgs.Image](b.node, "camera/image_raw", ros.SensorData))
	b.records = must(ros.Advertise[*msgs.Transition](b.node, "transitions", ros.QoS{Depth: 100}))
	b.status = must(ros.Advertise[*msgs.SkillStatus](b.node, "skill_status", ros.QoS{Depth: 100}))
	b.resets = must(ros.Advertise[*msgs.String](b.node, "scene_reset", ros.Default))
	must(0, ros.ServeAction(b.node, "execute_skill", ros.Action[*msgs.ExecuteSkillGoal,
		*msgs.ExecuteSkillFeedback, *msgs.ExecuteSkillResult]{Accept: b.accept, Execute: b.execute}))
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
	return rostest.Node(b.t, b.bus.Join(), name, b.log, params...)
}

// explorer makes one that does not wait long.
func (b *table) explorer(params ...string) *Explorer {
	b.t.Helper()
	e := must(New(b.join("explorer", params...)))
	e.patience = patience{transition: 200 * time.Millisecond, camera: time.Minute, busy: time.Minute}
	return e
}

func (b *table) patience() context.Context { return rostest.Soon(b.t) }

// side of the camera's images.
const side = 16

// image of a place has its number in its upper half.
func (b *table) image() *msgs.Image {
	m := &msgs.Image{Header: msgs.Header{Stamp: b.dial(b.stamp)}, Width: side, Height: side,
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

// film takes an image and returns when.
func (b *table) film() msgs.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stamp = time.Now()
	for b.under = append(b.under, b.image()); len(b.under) > b.held; b.under = b.under[1:] {
		published(b.images.Publish(b.under[0]))
	}
	return msgs.TimeFrom(b.stamp)
}

func (b *table) set(change func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change()
}

func (b *table) accept(*msgs.ExecuteSkillGoal) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.silent != nil {
		<-b.silent
	}
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
	b.tell(g, msgs.SkillStatusStarted)
	if during != nil {
		during()
	}
	m.After = b.film()
	b.tell(g, msgs.SkillStatusSucceeded)
	result := &msgs.ExecuteSkillResult{Outcome: m.Outcome} // the numbers are the same
	if b.instead == nil || b.instead(m) {
		published(records.Publish(m))
	}
	if ctx.Err() != nil {
		return result, ros.ErrCanceled
	}
	return result, nil
}

// somebody changes the scene, and says so.
func (b *table) somebody() {
	b.set(func() { b.place = (b.place + 2) % places })
	must(0, b.resets.Publish(&msgs.String{Data: "somebody"}))
}

// tell says on skill_status how far a skill is.
func (b *table) tell(g *ros.ServerGoal[*msgs.ExecuteSkillGoal, *msgs.ExecuteSkillFeedback],
	phase uint8,
) {
	m := &msgs.SkillStatus{ExecutionID: g.ID, Action: g.Goal.Action, Phase: phase}
	if b.says != nil {
		b.says(m)
	}
	published(b.status.Publish(m))
}
