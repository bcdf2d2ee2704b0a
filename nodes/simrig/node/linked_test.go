package node

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/rostest"
	"stripswm/nodes/sim/gazebo"
)

// studio is a Gazebo that takes an image of whatever it is shown.
type studio struct {
	images func(gazebo.Image)

	mu    sync.Mutex
	at    map[string]gazebo.Body
	taken byte
	gone  chan struct{}
}

func (s *studio) Show(_ context.Context, bodies []gazebo.Body) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range bodies {
		s.at[b.Name] = b
	}
	s.taken++
	s.images(gazebo.Image{Width: 2, Height: 1, RGB: []byte{s.taken, 0, 0, 0, 0, 0},
		Time: time.Duration(s.taken)})
	return nil
}

func (s *studio) Done() <-chan struct{} { return s.gone }
func (s *studio) Err() error            { return gazebo.ErrGone }
func (s *studio) Close() error          { return nil }

// TestLinked has a rig whose Gazebo is there, then gone, then back.
func TestLinked(t *testing.T) {
	bus := rostest.NewBus()
	rig := must(New(rostest.Node(t, bus.Join(), "simrig", io.Discard, "skill_duration:=0.01",
		"width:=32", "height:=32", "rate:=1.0")))
	var mu sync.Mutex
	var now *studio
	closed := false // Gazebo is
	must(0, rig.openLinked("here", func(_ context.Context, world string, images func(gazebo.Image)) (
		gazebo.Link, error) {
		mu.Lock()
		defer mu.Unlock()
		if closed || world != "blocksworld" {
			return nil, gazebo.ErrGone
		}
		now = &studio{images: images, at: map[string]gazebo.Body{}, gone: make(chan struct{})}
		return now, nil
	}))
	tester := rostest.Node(t, bus.Join(), "tester", io.Discard)
	skills := must(ros.NewActionClient[goal, feedback, result](tester, "/execute_skill"))
	run := func(action uint32) result {
		g := must(skills.Send(rostest.Soon(t), &msgs.ExecuteSkillGoal{Action: action}, nil))
		r, _, err := g.Result(rostest.Soon(t))
		return must(r, err)
	}
	shown := func() int {
		mu.Lock()
		defer mu.Unlock()
		if now == nil {
			return 0
		}
		now.mu.Lock()
		defer now.mu.Unlock()
		return len(now.at)
	}
	published := make(chan byte, 100)
	must(ros.Subscribe(tester, "/camera/image_raw", ros.SensorData, func(m *msgs.Image, _ ros.Info) {
		if m.Width == 2 { // not the rig's own
			published <- m.Data[0]
		}
	}))
	const bodies = 3 + 8 // blocks and parts of the gripper
	rostest.Eventually(t, "the state is shown at the start", func() bool { return shown() == bodies })
	if r := run(3); r.Outcome != msgs.ExecuteSkillResultSucceeded {
		t.Fatalf("%+v", r)
	}
	at := func() map[string]gazebo.Body {
		now.mu.Lock()
		defer now.mu.Unlock()
		return maps.Clone(now.at)
	}
	before, _ := rig.cell.State()
	shownBefore := at()
	text, img, err := rig.stage.newGoal()
	if err != nil || img.Width != 2 || strings.HasPrefix(text, fmt.Sprintf("%d ", before)) ||
		img.Data[0] != 3 {
		t.Errorf("the goal is %q, of image %v; %v", text, img, err)
	}
	if !maps.Equal(at(), shownBefore) {
		t.Error("gazebo shows the goal still")
	}

	mu.Lock()
	closed = true
	close(now.gone)
	mu.Unlock()
	rostest.Eventually(t, "its end is noticed", func() bool { return rig.stage.ready() != nil })
	if level, message, _ := rig.stage.health(rig.ticks.Count(),
		rig.ticks.Count()); level != msgs.DiagnosticStatusError {
		t.Errorf("health %d, %s", level, message)
	}
	if r := run(12); r.Outcome != msgs.ExecuteSkillResultFailed ||
		!errors.Is(rig.stage.ready(), gazebo.ErrGone) {
		t.Errorf("without gazebo: %+v", r)
	}
	if after, text := rig.cell.State(); after != before {
		t.Errorf("without gazebo the skill led to %s", text)
	}

	mu.Lock()
	closed, now = false, nil
	mu.Unlock()
	rostest.Eventually(t, "it shows the state again", func() bool { return shown() == bodies })
	if r := run(12); r.Outcome != msgs.ExecuteSkillResultSucceeded {
		t.Errorf("with gazebo back: %+v", r)
	}
	for len(published) > 0 {
		if <-published == 3 {
			t.Error("the image of the goal was published")
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
