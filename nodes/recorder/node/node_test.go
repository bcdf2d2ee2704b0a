package node_test

import (
	"context"
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"stripswm/bags"
	"stripswm/msgs"
	"stripswm/nodes/cvbridge"
	"stripswm/nodes/recorder/node"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/rostest"
)

// A studio is a recorder and, beside it, the test's camera and executor.
type studio struct {
	t           *testing.T
	dir         string
	out         *rostest.Log
	recorder    *node.Node
	raw         *ros.Publisher[*msgs.Image]
	compressed  *ros.Publisher[*msgs.CompressedImage]
	status      *ros.Publisher[*msgs.SkillStatus]
	transitions chan *msgs.Transition
	diagnostics chan *msgs.DiagnosticArray
	resets      *ros.Publisher[*msgs.String]
	latest      *msgs.DiagnosticArray
	now         time.Time     // when messages are received
	camera      time.Duration // by which the camera's clock is ahead of it
	executor    time.Duration // likewise
	unstamped   bool          // the camera stamps nothing
	executions  byte
	tester      *ros.Node
	bus         *rostest.Bus
	log         *rostest.Log                  // the recorder's
	between     func()                        // called before each step of a skill
	image       func(msgs.Header) *msgs.Image // of the raw topic; nil for a ramp of grey
}

func newNode(t *testing.T, bus *rostest.Bus, name string, parameters ...string) *ros.Node {
	t.Helper()
	return newLogged(t, bus, name, &rostest.Log{}, parameters...)
}

func newLogged(t *testing.T, bus *rostest.Bus, name string, log *rostest.Log,
	parameters ...string,
) *ros.Node {
	t.Helper()
	list := []string{"--ros-args"}
	for _, p := range parameters {
		list = append(list, "-p", p)
	}
	args := must(ros.ParseArgs(list))
	n := must(ros.NewNode(bus.Join(), name, args, ros.Options{Log: log}))
	t.Cleanup(func() { n.Close() })
	return n
}

func open(t *testing.T, parameters ...string) *studio {
	t.Helper()
	bus := rostest.NewBus()
	s := &studio{t: t, bus: bus, log: &rostest.Log{}, between: func() {},
		dir: filepath.Join(t.TempDir(), "bag"), out: &rostest.Log{}, now: time.Now(),
		transitions: make(chan *msgs.Transition, 100), diagnostics: make(chan *msgs.DiagnosticArray, 100)}
	n := newNode(t, bus, "tester")
	s.tester = n
	s.raw = must(ros.Advertise[*msgs.Image](n, "camera/image_raw", ros.SensorData))
	s.compressed = must(ros.Advertise[*msgs.CompressedImage](n, "camera/image_raw/compressed",
		ros.SensorData))
	s.status = must(ros.Advertise[*msgs.SkillStatus](n, "skill_status", ros.Default))
	s.resets = must(ros.Advertise[*msgs.String](n, "scene_reset", ros.Default))
	must(ros.Subscribe(n, "transitions", ros.Default, func(m *msgs.Transition, _ ros.Info) {
		s.transitions <- m
	}))
	must(ros.Subscribe(n, "/diagnostics", ros.Default, func(m *msgs.DiagnosticArray, _ ros.Info) {
		s.diagnostics <- m
	}))
	s.recorder = must(node.New(newLogged(t, bus, "recorder", s.log,
		append([]string{"directory:=" + s.dir, "min_free:=0", "actions:=9"}, parameters...)...), s.out))
	return s
}

// watch sees n images in each of the two topics.
func (s *studio) watch(n int) {
	for range n {
		s.now = s.now.Add(50 * time.Millisecond)
		s.bus.At(s.now)
		m := image.NewGray(image.Rect(0, 0, 32, 32))
		for i := range m.Pix {
			m.Pix[i] = uint8(i)
		}
		h := msgs.Header{Stamp: msgs.TimeFrom(s.now.Add(s.camera)), FrameID: "camera"}
		if s.unstamped {
			h.Stamp = msgs.Time{}
		}
		raw := msgs.NewImage(h, m)
		if s.image != nil {
			raw = s.image(h)
		}
		if s.raw != nil {
			must(0, s.raw.Publish(raw))
		}
		if s.compressed != nil {
			must(0, s.compressed.Publish(must(msgs.NewJPEG(h, m, 90))))
		}
	}
}

func (s *studio) say(phase uint8) { s.act(7, phase) }

func (s *studio) act(action uint32, phase uint8) {
	m := &msgs.SkillStatus{Header: msgs.Header{Stamp: msgs.TimeFrom(s.now.Add(s.executor))},
		Action: action, Phase: phase}
	m.ExecutionID.UUID[0] = s.executions
	must(0, s.status.Publish(m))
}

func (s *studio) skill() *msgs.Transition {
	s.t.Helper()
	s.executions++
	s.between()
	s.watch(4)
	s.between()
	s.say(msgs.SkillStatusStarted)
	s.between()
	s.watch(2)
	s.between()
	s.say(msgs.SkillStatusSucceeded)
	s.watch(12)
	s.between()
	select {
	case m := <-s.transitions:
		return m
	case <-time.After(2 * time.Minute):
		s.t.Fatal("no transition")
		return nil
	}
}

// await waits until /diagnostics has these counts.
func (s *studio) await(want map[string]int) {
	s.t.Helper()
	patience := time.After(10 * time.Second)
	for {
		missing := ""
		select {
		case s.latest = <-s.diagnostics:
		case <-patience:
			s.t.Fatalf("/diagnostics has %v, want %v", s.latest, want)
		}
		for key, n := range want {
			if !strings.Contains(fmt.Sprint(s.latest.Status[0].Values), fmt.Sprintf("{%s %d}", key, n)) {
				missing = key
			}
		}
		if missing == "" {
			return
		}
	}
}

func TestBothKindsOfImage(t *testing.T) {
	for transport, topic := range map[string]string{"raw": "/camera/image_raw",
		"compressed": "/camera/image_raw/compressed"} {
		t.Run(transport, func(t *testing.T) {
			s := open(t, "image_transport:="+transport)
			m := s.skill()
			if m.Action != 7 || m.ImageTopic != topic || m.Outcome != msgs.TransitionSucceeded ||
				m.Header.FrameID != "camera" {
				t.Errorf("%+v", m)
			}
			if err := s.recorder.Close(); err != nil {
				t.Fatal(err)
			}
			report, err := bags.Check(context.Background(), s.dir, cvbridge.Describe, nil)
			if err != nil || report.Class != bags.Intact || report.Succeeded != 1 {
				t.Errorf("%v, %v", report, err)
			}
			if !strings.Contains(s.out.String(), "7:1/0/0") ||
				!strings.Contains(s.out.String(), "never tried: [1 2 3 4 5 6 8 9]") {
				t.Errorf("report:\n%s", s.out)
			}
		})
	}
}

func TestDiagnostics(t *testing.T) {
	s := open(t)
	s.skill()
	for m := range s.diagnostics {
		status := m.Status[0]
		values := fmt.Sprint(status.Values)
		if status.Name != "/recorder: recording" || !strings.Contains(values, "disk free") ||
			!strings.Contains(values, "never tried") {
			t.Fatalf("%+v", status)
		}
		if strings.Contains(values, "{transitions 1}") {
			break
		}
	}
	if err := s.recorder.Close(); err != nil {
		t.Fatal(err)
	}
	for m := range s.diagnostics {
		if m.Status[0].Message == "not recording" {
			break
		}
	}
}

// TestReset resets the scene between two skills.
func TestReset(t *testing.T) {
	s := open(t)
	s.skill()
	must(0, s.resets.Publish(&msgs.String{Data: "the table was cleared"}))
	s.await(map[string]int{"resets": 1})
	s.skill()
	s.skill()
	if err := s.recorder.Close(); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(s.out.String(), "the scene was reset 1 times") {
		t.Errorf("report:\n%s", s.out)
	}
	r := must(bags.Open(s.dir))
	defer r.Close()
	var resets []bool
	for tr, err := range r.Transitions(context.Background()) {
		resets = append(resets, tr.Reset)
		if err != nil || tr.Outcome != bags.Succeeded {
			t.Errorf("%+v, %v", tr, err)
		}
	}
	if !slices.Equal(resets, []bool{false, true, false}) {
		t.Errorf("reset before an attempt: %t", resets)
	}
}

func TestWaitsForStart(t *testing.T) {
	s := open(t, "autostart:=false")
	start := must(ros.NewClient[*msgs.StartRecordingRequest, *msgs.StartRecordingResponse](s.tester,
		"/recorder/start"))
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	bag := filepath.Join(t.TempDir(), "named")
	if res := must(start.Call(ctx, &msgs.StartRecordingRequest{Directory: bag})); !res.Success ||
		res.Directory != bag {
		t.Fatalf("%+v", res)
	}
	s.skill()
	stop := must(ros.NewClient[*msgs.StopRecordingRequest, *msgs.StopRecordingResponse](s.tester,
		"/recorder/stop"))
	if res := must(stop.Call(ctx, &msgs.StopRecordingRequest{})); !res.Success ||
		res.Transitions != 1 || res.Directory != bag || res.Duration <= 0 {
		t.Errorf("%+v", res)
	}
}

func TestBadParameters(t *testing.T) {
	for _, p := range []string{"frames:=some", "image_transport:=theora", "settle:=-1.0",
		"bundle:=/nowhere", "directory:=/proc/nowhere/bag"} {
		n := newNode(t, rostest.NewBus(), "recorder", "min_free:=0", p)
		if r, err := node.New(n, &rostest.Log{}); err == nil {
			t.Errorf("%s was taken", p)
			r.Close()
		}
	}
}

func TestUnknownParametersAreNamed(t *testing.T) {
	s := open(t, "setle:=0.5", "settle:=0.2")
	if !s.log.Has("parameter=setle") || s.log.Has("parameter=settle") || !s.log.Has("WARN") {
		t.Errorf("log:\n%s", s.log)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
