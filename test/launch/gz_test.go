package launch

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/scene"
	"stripswm/nodes/sim/sdf"
	"stripswm/test/internal/process"
)

// awaitHealth waits until what the rig's diagnostics say begins so, and returns them.
func (s *system) awaitHealth(want string) (at time.Time, values map[string]float64) {
	s.t.Helper()
	said := make(chan *msgs.DiagnosticArray, 100)
	sub, err := ros.Subscribe(s.node, "/diagnostics", ros.Default, func(m *msgs.DiagnosticArray,
		_ ros.Info) {
		if m.Status[0].Name == "/simrig: camera" {
			said <- m
		}
	})
	if err != nil {
		s.t.Fatal(err)
	}
	defer sub.Close()
	for soon := s.patience(); ; {
		select {
		case m := <-said:
			if !strings.HasPrefix(m.Status[0].Message, want) {
				continue
			}
			values = map[string]float64{}
			for _, v := range m.Status[0].Values {
				values[v.Key] = must(strconv.ParseFloat(v.Value, 64))
			}
			return time.Unix(0, m.Header.Stamp.Nanoseconds()), values
		case <-soon.Done():
			s.t.Fatalf("the rig never says %q", want)
		}
	}
}

// do has the rig execute a skill.
func (s *system) do(action uint32) *msgs.ExecuteSkillResult {
	s.t.Helper()
	skills, err := ros.NewActionClient[*msgs.ExecuteSkillGoal, *msgs.ExecuteSkillFeedback,
		*msgs.ExecuteSkillResult](s.node, "execute_skill")
	if err != nil {
		s.t.Fatal(err)
	}
	defer skills.Close()
	goal, err := skills.Send(s.patience(), &msgs.ExecuteSkillGoal{Action: action}, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	result, _, err := goal.Result(s.patience())
	if err != nil {
		s.t.Fatal(err)
	}
	return result
}

// TestRigOnGzTransport has the rig's world shown by a program on Debian's gz-transport 11, whose
// images are the bodies' places, and has that killed and come back.
func TestRigOnGzTransport(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	places := func(state int) (names []string, pixels []byte) {
		cm := func(v float64) byte { return byte(int(math.Round(100 * v))) }
		for _, p := range must(sdf.Poses(s.world, sim.State(state), scene.NewJitter(0, 0))) {
			names, pixels = append(names, p.Model), append(pixels, cm(p.At.X), cm(p.At.Y), 255)
		}
		return names, pixels
	}
	names, _ := places(0)
	partition := fmt.Sprintf("strips_wm_rig_%d", s.domain)
	serve := func() *process.Process {
		return process.Ignition(t, "../interop/ignition", partition, "blocksworld", names...)
	}
	server := serve()
	s.startIn([]string{"GZ_IP=127.0.0.1", "GZ_PARTITION=" + partition}, "simrig", "world_backend:=gz",
		"skill_duration:=0.02", "nuisance:=0.0")
	s.awaitHealth("gazebo sends images")

	images := make(chan []byte)
	must(ros.Subscribe(s.node, "/camera/image_raw", ros.SensorData, func(m *msgs.Image, _ ros.Info) {
		select {
		case images <- m.Data:
		default: // nobody waits
		}
	}))
	awaitPlaces := func() {
		t.Helper()
		_, want := places(s.state())
		for soon := s.patience(); ; {
			select {
			case got := <-images:
				if bytes.Equal(got, want) {
					return
				}
			case <-soon.Done():
				t.Fatalf("no image of state %d", s.state())
			}
		}
	}
	awaitPlaces() // at the start
	for _, action := range []uint32{3, 13, 2} {
		before := s.state()
		if r := s.do(action); r.Outcome != msgs.ExecuteSkillResultSucceeded || s.state() == before {
			t.Fatalf("action %d: %+v, from %d to %d", action, r, before, s.state())
		}
		awaitPlaces()
	}

	server.Stop(syscall.SIGKILL)
	s.awaitHealth("gazebo is gone")
	before := s.state()
	if r := s.do(14); r.Outcome != msgs.ExecuteSkillResultFailed || r.Message == "" ||
		s.state() != before {
		t.Errorf("without gazebo: %+v, from %d to %d", r, before, s.state())
	}
	serve()
	s.awaitHealth("gazebo sends images")
	awaitPlaces()
	if r := s.do(14); r.Outcome != msgs.ExecuteSkillResultSucceeded {
		t.Errorf("with gazebo back: %+v", r)
	}
}
