package node

import (
	"bytes"
	"context"
	"errors"
	"fmt"
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
	join := func(name string, arguments ...string) *ros.Node {
		args, err := ros.ParseArgs(arguments)
		if err != nil {
			t.Fatal(err)
		}
		n, err := ros.NewNode(bus.Join(), name, args, ros.Options{Log: &bytes.Buffer{}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { n.Close() })
		return n
	}
	rig, err := New(join("simrig", "--ros-args", "-p", "skill_duration:=0.01", "-p", "width:=32", "-p",
		"height:=32", "-p", "rate:=1.0"))
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var now *studio
	closed := false // Gazebo is
	if err := rig.openLinked("here", func(_ context.Context, world string, images func(gazebo.Image)) (
		gazebo.Link, error) {
		mu.Lock()
		defer mu.Unlock()
		if closed || world != "blocksworld" {
			return nil, gazebo.ErrGone
		}
		now = &studio{images: images, at: map[string]gazebo.Body{}, gone: make(chan struct{})}
		return now, nil
	}); err != nil {
		t.Fatal(err)
	}
	tester := join("tester")
	skills, err := ros.NewActionClient[goal, feedback, result](tester, "/execute_skill")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	until := func(what string, holds func() bool) {
		t.Helper()
		for !holds() {
			if ctx.Err() != nil {
				t.Fatalf("never: %s", what)
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
	run := func(action uint32) result {
		t.Helper()
		g, err := skills.Send(ctx, &msgs.ExecuteSkillGoal{Action: action}, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, _, err := g.Result(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return r
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
	if _, err := ros.Subscribe(tester, "/camera/image_raw", ros.SensorData, func(m *msgs.Image,
		_ ros.Info) {
		if m.Width == 2 { // not the rig's own
			published <- m.Data[0]
		}
	}); err != nil {
		t.Fatal(err)
	}
	const bodies = 3 + 8 // blocks and parts of the gripper
	until("the state is shown at the start", func() bool { return shown() == bodies })
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
	until("its end is noticed", func() bool { return rig.stage.ready() != nil })
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
	until("it shows the state when it is back", func() bool { return shown() == bodies })
	if r := run(12); r.Outcome != msgs.ExecuteSkillResultSucceeded {
		t.Errorf("with gazebo back: %+v", r)
	}
	for len(published) > 0 {
		if <-published == 3 {
			t.Error("the image of the goal was published")
		}
	}
}
