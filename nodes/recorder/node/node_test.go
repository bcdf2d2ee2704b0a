package node_test

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"math/rand"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/quick"
	"time"

	"stripswm/bags"
	"stripswm/models/pixels"
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

func open(t *testing.T, parameters ...string) *studio {
	t.Helper()
	bus := rostest.NewBus()
	s := &studio{t: t, bus: bus, log: &rostest.Log{}, between: func() {},
		dir: filepath.Join(t.TempDir(), "bag"), out: &rostest.Log{}, now: time.Now(),
		transitions: make(chan *msgs.Transition, 100), diagnostics: make(chan *msgs.DiagnosticArray, 100)}
	n := rostest.Node(t, bus.Join(), "tester", &rostest.Log{})
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
	s.recorder = must(node.New(rostest.Node(t, bus.Join(), "recorder", s.log,
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

// closes ends the recording: its bag is intact, and has so many attempts, which all succeeded.
func (s *studio) closes(succeeded int) {
	s.t.Helper()
	must(0, s.recorder.Close())
	report := must(bags.Check(context.Background(), s.dir, cvbridge.Describe, nil))
	if report.Class != bags.Intact || report.Succeeded != succeeded ||
		report.Transitions != succeeded {
		s.t.Errorf("%v", report)
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

func TestDiagnostics(t *testing.T) {
	s := open(t)
	s.skill()
	s.await(map[string]int{"transitions": 1})
	if status := s.latest.Status[0]; status.Name != "/recorder: recording" ||
		!strings.Contains(fmt.Sprint(status.Values), "disk free") ||
		!strings.Contains(fmt.Sprint(status.Values), "never tried") {
		t.Errorf("%+v", status)
	}
	must(0, s.recorder.Close())
	s.says("not recording", func() {})
}

func TestWaitsForStart(t *testing.T) {
	s := open(t, "autostart:=false")
	bag := filepath.Join(t.TempDir(), "named")
	if res := rostest.Call[*msgs.StartRecordingResponse](s.tester, "/recorder/start",
		&msgs.StartRecordingRequest{Directory: bag}); !res.Success || res.Directory != bag {
		t.Fatalf("%+v", res)
	}
	s.skill()
	if res := rostest.Call[*msgs.StopRecordingResponse](s.tester, "/recorder/stop",
		&msgs.StopRecordingRequest{}); !res.Success || res.Transitions != 1 ||
		res.Directory != bag || res.Duration <= 0 {
		t.Errorf("%+v", res)
	}
}

func TestBadParameters(t *testing.T) {
	for _, p := range []string{"frames:=some", "image_transport:=theora", "settle:=-1.0",
		"bundle:=/nowhere", "directory:=/proc/nowhere/bag", "region:=[0.5, 0.0, 0.6, 1.0]",
		"region:=[0.5]", "bits:=7"} {
		n := rostest.Node(t, rostest.NewBus().Join(), "recorder", &rostest.Log{}, "min_free:=0", p)
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

// TestOnlyRegionCounts has somebody walk through the left half of the images all the time.
func TestOnlyRegionCounts(t *testing.T) {
	for region, want := range map[string]uint8{"[]": msgs.TransitionFailed,
		"[0.5, 0.0, 0.5, 1.0]": msgs.TransitionSucceeded} {
		t.Run(region, func(t *testing.T) {
			t.Parallel()
			s := open(t, "region:="+region, "timeout:=0.4")
			shots := 0
			s.image = func(h msgs.Header) *msgs.Image {
				shots++
				m := image.NewGray(image.Rect(0, 0, 32, 32))
				for i := range m.Pix {
					m.Pix[i] = uint8(i)
					if i%32 < 16 {
						m.Pix[i] = uint8(shots % 3 * 80)
					}
				}
				return msgs.NewImage(h, m)
			}
			if m := s.skill(); m.Outcome != want {
				t.Errorf("%+v, want outcome %d", m, want)
			}
			must(0, s.recorder.Close())
			r := must(bags.Open(s.dir))
			defer r.Close()
			var cameras []bags.Camera
			for m, err := range r.Messages(t.Context(), bags.CameraTopic) {
				var text msgs.String
				must(0, err)
				must(0, m.Decode(&text))
				cameras = append(cameras, must(bags.Parse[bags.Camera](&text)))
			}
			if told := len(cameras) == 1 &&
				slices.Equal(cameras[0].Region, []float64{0.5, 0, 0.5, 1}); told != (region != "[]") {
				t.Errorf("the bag says %+v", cameras)
			}
		})
	}
}

// TestDarkSamplesAreNamed: a camera of 12 bits in 16 makes nearly black images, unless somebody
// says so.
func TestDarkSamplesAreNamed(t *testing.T) {
	for bits, want := range map[string]string{"0": "use 12 of them so far", "12": "recording",
		"10": "samples use 12 bits, and bits is 10"} {
		t.Run(bits, func(t *testing.T) {
			t.Parallel()
			s := open(t, "bits:="+bits, "contrast:=0.0")
			s.image = func(h msgs.Header) *msgs.Image {
				m := &msgs.Image{Header: h, Width: 32, Height: 32, Encoding: "mono16", Step: 64}
				for i := range 32 * 32 {
					m.Data = append(m.Data, uint8(i*4), uint8(i>>6))
				}
				return m
			}
			s.skill()
			s.says(want, func() { s.watch(1) })
		})
	}
}

// TestTooManyImages are those that no machine takes; /diagnostics says how many it does.
func TestTooManyImages(t *testing.T) {
	s := open(t)
	rng := rand.New(rand.NewSource(1))
	s.says("images a second are lost, of 0.0 MB each; it takes some ", func() {
		s.now = s.now.Add(10 * time.Millisecond)
		if rng.Intn(2) == 0 {
			h := msgs.Header{Stamp: msgs.TimeFrom(s.now)}
			must(0, s.raw.Publish(msgs.NewImage(h, image.NewGray(image.Rect(0, 0, 32, 32)))))
		}
	})
}

// TestAutoRecordsBothTransports has a camera whose driver is started again with the other
// transport, in one recording.
func TestAutoRecordsBothTransports(t *testing.T) {
	s := open(t)
	must(0, s.compressed.Close())
	s.compressed = nil
	first := s.skill()
	must(0, s.raw.Close())
	s.raw, s.compressed = nil, must(ros.Advertise[*msgs.CompressedImage](s.tester,
		"camera/image_raw/compressed", ros.SensorData))
	for s.compressed.Subscribers() == 0 {
		time.Sleep(10 * time.Millisecond)
	}
	second := s.skill()
	if first.ImageTopic != "/camera/image_raw" ||
		second.ImageTopic != "/camera/image_raw/compressed" ||
		second.Outcome != msgs.TransitionSucceeded {
		t.Errorf("%+v\n%+v", first, second)
	}
	s.closes(2)
	if out := s.out.String(); first.Header.FrameID != "camera" || !strings.Contains(out, "7:2/0/0") ||
		!strings.Contains(out, "never tried: [1 2 3 4 5 6 8 9]") {
		t.Errorf("%+v, report:\n%s", first, out)
	}
}

// says waits for the text in /diagnostics, while the camera shows something every 10 ms, and
// returns the message.
func (s *studio) says(text string, show func()) (last string) {
	s.t.Helper()
	shots := time.NewTicker(10 * time.Millisecond)
	defer shots.Stop()
	for patience := time.After(10 * time.Second); ; {
		select {
		case <-shots.C:
			show()
		case s.latest = <-s.diagnostics:
			if last = s.latest.Status[0].Message; strings.Contains(last, text) {
				return last
			}
		case <-patience:
			s.t.Fatalf("/diagnostics says %q, want %q", last, text)
		}
	}
}

// TestEncodingsOfCameras records from cameras of each encoding: those that can be converted are,
// and of the others /diagnostics says within two seconds what is wrong, where, and what to do.
func TestEncodingsOfCameras(t *testing.T) {
	for encoding, bytes := range map[string]int{
		"bayer_rggb8": 1, "bayer_bggr8": 1, "bayer_gbrg8": 1, "bayer_grbg8": 1, "mono16": 2, "16UC1": 2,
		"yuv422_yuy2": 2, "uyvy": 2, "yuv422": 2, "8UC3": 3,
		"nv12": 1, // and half as many rows again
		"":     0, "rgb": 0, "32FC1": 0, "RGB8": 0, "bgr8; jpeg": 0,
	} {
		t.Run("encoding "+encoding, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			rows := 32
			if encoding == "nv12" {
				rows = 48
			}
			s.image = func(h msgs.Header) *msgs.Image {
				m := &msgs.Image{Header: h, Width: 32, Height: 32, Encoding: encoding,
					Step: uint32(32 * max(bytes, 1))}
				for y := range rows {
					for range m.Step {
						m.Data = append(m.Data, uint8(5*y))
					}
				}
				return m
			}
			if bytes > 0 {
				if m := s.skill(); m.Outcome != msgs.TransitionSucceeded {
					t.Errorf("%+v", m)
				}
				return
			}
			s.watch(3)
			s.complains("/camera/image_raw: unusable image: encoding \""+encoding+"\" is not one of 16UC1",
				"; have the camera publish what is read")
		})
	}
}

// TestCompressedImagesThatAreNone has files that are cut, or not what they are said to be.
func TestCompressedImagesThatAreNone(t *testing.T) {
	whole := must(msgs.NewJPEG(msgs.Header{}, image.NewGray(image.Rect(0, 0, 64, 48)), 90))
	for want, m := range map[string]*msgs.CompressedImage{
		"ends before its end marker":           {Format: "jpeg", Data: whole.Data[:len(whole.Data)-9]},
		"format \"png\", but the data is jpeg": {Format: "png", Data: whole.Data},
		"0 bytes that are neither":             {Format: "jpeg"},
	} {
		s := open(t, "image_transport:=compressed")
		must(0, s.compressed.Publish(m))
		s.complains("/camera/image_raw/compressed: "+pixels.ErrImage.Error()+": ", want,
			"or set image_transport to raw")
	}
}

// TestTheOtherTransport listens where nobody publishes.
func TestTheOtherTransport(t *testing.T) {
	for transport, want := range map[string]string{
		"auto": "nobody publishes /camera/image_raw or /camera/image_raw/compressed; start the " +
			"camera, or remap camera/image_raw to its topic",
		"raw": "nobody publishes /camera/image_raw; start the camera, remap camera/image_raw to " +
			"its topic, or set image_transport to auto",
		"compressed": "nobody publishes /camera/image_raw/compressed; start the camera, remap " +
			"camera/image_raw to its topic, or set image_transport to auto",
	} {
		s := open(t, "image_transport:="+transport)
		must(0, s.raw.Close())
		must(0, s.compressed.Close())
		s.complains(want)
	}
}

// complains waits, two seconds at most by the recorder's clock, for level ERROR with these texts.
func (s *studio) complains(texts ...string) {
	s.t.Helper()
	began := time.Now()
	for m := range s.diagnostics {
		status := m.Status[0]
		if status.Level == msgs.DiagnosticStatusError {
			for _, text := range texts {
				if !strings.Contains(status.Message, text) {
					s.t.Errorf("%q does not say %q", status.Message, text)
				}
			}
			return
		}
		if waited := m.Header.Stamp.GoTime().Sub(began); waited > 2*time.Second {
			s.t.Fatalf("after %s: %q", waited, status.Message)
		}
	}
}

// An intruder publishes on all that the recorder listens to.
type intruder struct {
	studio  *studio
	random  *rand.Rand
	endings ros.Endpoints
	writers map[string]ros.Writer

	malformed, unreadable, unfit int // that the recorder is to count
}

func intrude(s *studio, image string) *intruder {
	in := &intruder{studio: s, random: rand.New(rand.NewSource(1)), writers: map[string]ros.Writer{}}
	in.endings = must(s.bus.Join().AddNode(ros.NodeName{Namespace: "/", Name: "intruder"}))
	for topic, rosType := range map[string]string{"/camera/image_raw": "sensor_msgs/msg/Image",
		"/camera/image_raw/compressed": "sensor_msgs/msg/CompressedImage",
		"/skill_status":                "strips_wm_msgs/msg/SkillStatus",
		"/scene_reset":                 "std_msgs/msg/String"} {
		if strings.HasPrefix(topic, "/camera") && topic != image {
			continue
		}
		in.writers[topic] = must(in.endings.NewWriter(topic, rosType, ros.Default, nil))
	}
	return in
}

// fill gives a message random fields.
func fill[M any](r *rand.Rand) *M {
	v, _ := quick.Value(reflect.TypeFor[M](), r)
	m := v.Interface().(M)
	return &m
}

// send publishes n messages, some of every kind.
func (in *intruder) send(n int) {
	for range n {
		for topic, w := range in.writers {
			var m msgs.Message
			switch topic {
			case "/skill_status":
				m = in.status()
			case "/scene_reset":
				m = fill[msgs.String](in.random)
			case "/camera/image_raw":
				m = in.image()
			default:
				m = fill[msgs.CompressedImage](in.random)
			}
			payload := must(msgs.Marshal(m))
			switch k := in.random.Intn(4); {
			case k == 0 || topic == "/scene_reset": // which tells the truth if it is whole
				payload = payload[:in.random.Intn(len(payload))]
				in.malformed++
			case k == 1:
				in.random.Read(payload)
				in.malformed++
			default:
				in.expect(m)
			}
			must(0, w.Write(payload))
		}
	}
}

// expect counts what the recorder is to make of a message that arrives whole.
func (in *intruder) expect(m msgs.Message) {
	if s, ok := m.(*msgs.SkillStatus); ok {
		if s.Phase == msgs.SkillStatusStarted {
			in.unfit++
		}
		return
	}
	if cvbridge.Check(m) != nil {
		in.unreadable++
	}
}

// status is one with random fields, or of action 0 at this moment.
func (in *intruder) status() *msgs.SkillStatus {
	m := fill[msgs.SkillStatus](in.random)
	m.Phase %= msgs.SkillStatusCanceled + 1
	if m.Phase == msgs.SkillStatusSucceeded {
		m.Header.Stamp, m.Action = msgs.TimeFrom(in.studio.now), 0
	}
	return m
}

// image is one with random fields, or a good one with a random stamp, or one that is not what it
// says.
func (in *intruder) image() *msgs.Image {
	m := fill[msgs.Image](in.random)
	if in.random.Intn(2) == 0 {
		m.Encoding, m.Width, m.Height, m.Step, m.Data = "mono8", 16, 16, 16, make([]byte, 256)
	}
	if in.random.Intn(4) == 0 {
		m.Step--
	}
	return m
}

// TestNothingThatComesEndsARecording has 10,000 messages that are malformed or random among good
// attempts.
func TestNothingThatComesEndsARecording(t *testing.T) {
	const attempts, batches, messages = 20, 5, 10_000
	for transport, topic := range map[string]string{"raw": "/camera/image_raw",
		"compressed": "/camera/image_raw/compressed"} {
		for _, frames := range []string{"transitions", "all"} {
			t.Run(transport+" "+frames, func(t *testing.T) {
				s := open(t, "image_transport:="+transport, "frames:="+frames, "queue:=10000")
				in := intrude(s, topic)
				s.watch(1)
				s.await(map[string]int{"images received": 1}) // which tell how far off a start is
				s.between = func() { in.send(1 + messages/(attempts*batches*len(in.writers))) }
				for range attempts {
					if m := s.skill(); m.Action != 7 || m.Outcome != msgs.TransitionSucceeded ||
						m.ImageTopic != topic {
						t.Fatalf("%+v", m)
					}
				}
				want := map[string]int{"messages that do not decode": in.malformed,
					"images that cannot be read": in.unreadable, "attempts lost": in.unfit}
				for key, n := range want {
					if n == 0 {
						t.Errorf("%s: there were none", key)
					}
				}
				s.await(want)
				s.closes(attempts)
			})
		}
	}
}

// TestAnActionOfZero has a skill of action 0, and strange resets, between good ones.
func TestAnActionOfZero(t *testing.T) {
	s := open(t)
	s.skill()
	s.watch(4)
	s.executions++
	s.act(0, msgs.SkillStatusStarted)
	s.watch(2)
	s.act(0, msgs.SkillStatusSucceeded)
	for _, why := range []string{"", "\x00", "\xff\xfe", strings.Repeat("x", 1<<20)} {
		must(0, s.resets.Publish(&msgs.String{Data: why}))
	}
	s.await(map[string]int{"attempts lost": 1, "resets": 4})
	const why = "action 0: a skill started with action 0; have the executor number its skills from 1"
	if status := s.latest.Status[0]; status.Level != msgs.DiagnosticStatusWarn ||
		!strings.Contains(fmt.Sprint(status.Values), why) {
		t.Errorf("%+v", status)
	}
	s.skill()
	s.closes(2)
	if !s.log.Has("WARN") || !s.log.Has("number its skills from 1") {
		t.Errorf("the log says %s", s.log)
	}
}

// TestClocksThatAreOff has a camera or an executor whose clock is off: the attempts are recorded,
// and /diagnostics has by how much.
func TestClocksThatAreOff(t *testing.T) {
	for name, c := range map[string]struct {
		camera, executor time.Duration
		unstamped        bool
		delays           [2]string
		warns            string
	}{
		"right":         {0, 0, false, [2]string{"0.00", "0.00"}, ""},
		"camera ahead":  {400 * time.Millisecond, 0, false, [2]string{"-400.00", "0.00"}, "0.40 s ahead"},
		"camera behind": {-time.Hour, 0, false, [2]string{"3600000.00", "0.00"}, "3600.00 s behind"},
		"executor ahead": {0, time.Hour, false, [2]string{"0.00", "-3600000.00"},
			"the clock of the skill executor is 3600.00 s ahead"},
		"no stamps": {0, 0, true, [2]string{"0.00", "0.00"}, "images have no stamp"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			s.camera, s.executor, s.unstamped = c.camera, c.executor, c.unstamped
			if c.unstamped { // it says so before the first attempt
				if said := s.says(c.warns, func() { s.watch(1) }); !s.log.Has(c.warns) {
					t.Errorf("/diagnostics says %q, the log %s", said, s.log)
				}
			}
			for range 2 {
				s.act(0, msgs.SkillStatusIdle)
				s.watch(1)
			}
			for range 3 {
				if m := s.skill(); m.Outcome != msgs.TransitionSucceeded {
					t.Errorf("%+v", m)
				}
			}
			said := s.says(cmp.Or(c.warns, "recording"), func() { s.watch(1) })
			if c.warns == "" && said != "recording" {
				t.Errorf("/diagnostics says %q", said)
			}
			values := fmt.Sprint(s.latest.Status[0].Values)
			for i, key := range []string{"camera", "skill status"} {
				if want := key + " delay, at least (ms) " + c.delays[i] + "}"; !strings.Contains(values, want) {
					t.Errorf("no %q in %s", want, values)
				}
			}
			s.closes(3)
		})
	}
}
