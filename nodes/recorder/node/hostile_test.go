package node_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand"
	"reflect"
	"strings"
	"testing"
	"testing/quick"
	"time"

	"stripswm/bags"
	"stripswm/msgs"
	"stripswm/nodes/cvbridge"
	"stripswm/nodes/ros"
)

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
					if m := s.skill(); m.Action != 7 || m.Outcome != msgs.TransitionSucceeded {
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
				if err := s.recorder.Close(); err != nil {
					t.Fatal(err)
				}
				report, err := bags.Check(context.Background(), s.dir, cvbridge.Describe, nil)
				if err != nil || report.Class != bags.Intact || report.FaultCount != 0 ||
					report.Succeeded != attempts || report.Transitions != attempts {
					t.Errorf("%v, %v", report, err)
				}
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
	if err := s.recorder.Close(); err != nil {
		t.Fatal(err)
	}
	report, err := bags.Check(context.Background(), s.dir, cvbridge.Describe, nil)
	if err != nil || report.Class != bags.Intact || report.Succeeded != 2 || !s.log.Has("WARN") ||
		!s.log.Has("number its skills from 1") {
		t.Errorf("%v, %v\n%s", report, err, s.log)
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
			if err := s.recorder.Close(); err != nil {
				t.Fatal(err)
			}
			report, err := bags.Check(context.Background(), s.dir, cvbridge.Describe, nil)
			if err != nil || report.Class != bags.Intact || report.Succeeded != 3 {
				t.Errorf("%v, %v", report, err)
			}
		})
	}
}
