package pairing_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"stripswm/bags/pairing"
	"stripswm/msgs"
)

// A story is what camera and executor do, told to a Pairer step by step. Times
// are seconds after an arbitrary time.
type story struct {
	pairer   *pairing.Pairer
	attempts []pairing.RecordedAttempt
}

type event func(*story)

func tell(o pairing.Options, events ...event) *story {
	s := &story{pairer: pairing.New(o)}
	for _, e := range events {
		e(s)
	}
	return s
}

// String lists the attempts: action, outcome, before, after and note.
func (s *story) String() string {
	var b strings.Builder
	for _, a := range s.attempts {
		fmt.Fprintf(&b, "%d %s %s>%s %s\n", a.Action, outcomeNames[a.Outcome], stampOf(a.Before),
			stampOf(a.After), a.Note)
	}
	return strings.ReplaceAll(b.String(), " \n", "\n")
}

var outcomeNames = map[uint8]string{msgs.TransitionSucceeded: "ok",
	msgs.TransitionRefused: "refused", msgs.TransitionFailed: "failed"}

func stampOf(f *pairing.Frame) string {
	if f == nil {
		return "none"
	}
	return fmt.Sprintf("%.1f", f.Stamp.Sub(at(0)).Seconds())
}

func at(seconds float64) time.Time {
	return time.Unix(1000, 0).Add(time.Duration(math.Round(seconds*10)) * 100 * time.Millisecond)
}

// looks is a frame whose left half has the level given; the rest is grey.
func gray(level float32) func() (pairing.View, error) {
	return func() (pairing.View, error) {
		var v pairing.View
		for i := range v {
			v[i] = 50
			if i%16 < 8 {
				v[i] = level
			}
		}
		return v, nil
	}
}

func frame(t float64, thumbnail func() (pairing.View, error)) event {
	return stamped(t, 0, thumbnail)
}

// stamped is a frame with a stamp that is off.
func stamped(t, off float64, thumbnail func() (pairing.View, error)) event {
	return func(s *story) {
		s.attempts = append(s.attempts, s.pairer.Frame(&pairing.Frame{Stamp: at(t + off),
			Received: at(t), Thumbnail: thumbnail})...)
	}
}

func sees(t float64, level float32) event { return frame(t, gray(level)) }

// watches is a frame every 100 ms from one time to the other, both included.
func watches(from, to float64, level float32) event {
	return func(s *story) {
		for i := range int((to-from)*10+0.5) + 1 {
			sees(from+float64(i)/10, level)(s)
		}
	}
}

// pans is watches with an image that changes all the time.
func pans(from, to float64) event {
	return func(s *story) {
		for i := range int((to-from)*10+0.5) + 1 {
			tenths := int(math.Round(from*10)) + i
			sees(float64(tenths)/10, float32(100+tenths%2*40))(s)
		}
	}
}

func black(t float64) event { return sees(t, 50) }

func broken(t float64) event {
	return frame(t, func() (pairing.View, error) { return pairing.View{}, errors.New("not an image") })
}

func says(t float64, execution byte, phase uint8, message string) event {
	return func(s *story) {
		m := &msgs.SkillStatus{Header: msgs.Header{Stamp: msgs.TimeFrom(at(t))},
			Action: uint32(execution), Phase: phase, Message: message}
		m.ExecutionID.UUID[0] = execution
		s.attempts = append(s.attempts, s.pairer.Status(m, at(t))...)
	}
}

// Executions have the number of their action, so that a story reads easily.
func starts(t float64, action byte) event { return says(t, action, msgs.SkillStatusStarted, "") }
func runs(t float64, action byte) event   { return says(t, action, msgs.SkillStatusRunning, "") }
func succeeds(t float64, action byte) event {
	return says(t, action, msgs.SkillStatusSucceeded, "done")
}
func refuses(t float64, action byte) event {
	return says(t, action, msgs.SkillStatusRefused, "not there")
}
func fails(t float64, action byte) event {
	return says(t, action, msgs.SkillStatusFailed, "dropped it")
}
func cancels(t float64, action byte) event { return says(t, action, msgs.SkillStatusCanceled, "") }

// resets is somebody changing the scene, received at a time.
func resets(t float64) event {
	return func(s *story) { s.attempts = append(s.attempts, s.pairer.Reset(at(t))...) }
}

func marks(note string) event { return func(s *story) { s.pairer.MarkFailed(note) } }

func waits(until float64) event {
	return func(s *story) { s.attempts = append(s.attempts, s.pairer.Tick(at(until))...) }
}

func TestAttempts(t *testing.T) {
	for name, c := range map[string]struct {
		events []event
		want   string
	}{
		"nothing": {},
		"the last frame before and the first settled one after": {
			[]event{watches(0, 1, 80), starts(1, 3), sees(1.1, 90), sees(1.2, 120), succeeds(1.3, 3),
				sees(1.3, 130), watches(1.4, 3, 140)},
			"3 ok 1.0>1.6\n",
		},
		"refused": {[]event{watches(0, 1, 80), starts(1, 4), refuses(1.1, 4), watches(1.1, 2, 80)},
			"4 refused 1.0>1.4 not there\n"},
		"failed": {[]event{watches(0, 1, 80), starts(1, 4), fails(1.1, 4), watches(1.1, 2, 80)},
			"4 failed 1.0>1.4 dropped it\n"},
		"canceled": {[]event{watches(0, 1, 80), starts(1, 4), cancels(1.1, 4), watches(1.1, 2, 80)},
			"4 failed 1.0>1.4 canceled\n"},
		"statuses are repeated": {
			[]event{watches(0, 1, 80), starts(1, 3), starts(1, 3), runs(1.1, 3), succeeds(1.3, 3),
				succeeds(1.3, 3), watches(1.1, 3, 140), succeeds(1.3, 3), starts(1, 3)},
			"3 ok 1.0>1.6\n",
		},
		"statuses come late": {
			[]event{watches(0, 1, 80), watches(1.1, 2, 140), starts(1, 3), succeeds(1.3, 3)},
			"3 ok 1.0>1.6\n",
		},
		"frames come late": {
			[]event{watches(0, 0.5, 80), starts(1, 3), succeeds(1.3, 3), watches(0.6, 1, 80),
				watches(1.1, 3, 140)},
			"3 ok 1.0>1.6\n",
		},
		"the scene swings after the end": {
			[]event{watches(0, 1, 80), starts(1, 3), succeeds(1.3, 3), pans(1.1, 2), watches(2.1, 3, 80)},
			"3 ok 1.0>2.2\n",
		},
		"the scene never comes to rest": {
			[]event{watches(0, 1, 80), starts(1, 3), succeeds(1.3, 3), pans(1.1, 8)},
			"3 failed 1.0>6.3 the scene had not come to rest after 5.00 s\n",
		},
		"two in a row": {
			[]event{watches(0, 1, 80), starts(1, 3), succeeds(1.3, 3), watches(1.1, 2, 140), starts(2, 5),
				refuses(2, 5), watches(2.1, 3, 140)},
			"3 ok 1.0>1.6\n5 refused 2.0>2.3 not there\n",
		},
		"the next one is too early": {
			[]event{watches(0, 1, 80), starts(1, 3), pans(1.1, 1.3), succeeds(1.3, 3), starts(1.4, 5),
				pans(1.4, 1.7), succeeds(1.7, 5), watches(1.8, 3, 110)},
			"3 failed 1.0>1.4 the next skill started before the scene had come to rest\n5 failed 1.4>2.0 " +
				"the scene was still moving when it started\n",
		},
		"refused, and the next one at once": {
			[]event{watches(0, 1, 80), starts(1, 3), refuses(1, 3), starts(1, 5), refuses(1.1, 5),
				sees(1.1, 80), sees(1.2, 80), starts(1.2, 6), succeeds(1.3, 6), watches(1.3, 2, 140)},
			"3 refused 1.0>1.0 not there\n5 refused 1.0>1.2 not there\n6 ok 1.2>1.6\n",
		},
		"the end was lost": {
			[]event{watches(0, 1, 80), starts(1, 3), watches(1.1, 2, 140), starts(2, 5), succeeds(2.2, 5),
				watches(2.1, 3, 110)},
			"3 failed 1.0>2.0 no end was reported before the next skill started; the next skill started " +
				"before the scene had come to rest\n5 ok 2.0>2.5\n",
		},
		"the start was lost": {[]event{watches(0, 1, 80), succeeds(1.3, 3), watches(1.1, 3, 140)},
			""},
		"marked while it ran": {[]event{watches(0, 1, 80), starts(1, 3), marks("bumped"),
			succeeds(1.3, 3), watches(1.1, 2, 140)}, "3 failed 1.0>1.6 bumped\n"},
		"marked before it settled": {[]event{watches(0, 1, 80), starts(1, 3), succeeds(1.3, 3),
			marks(""), watches(1.1, 2, 140)}, "3 failed 1.0>1.6 marked failed\n"},
		"marked when there was none": {[]event{marks("x"), watches(0, 1, 80)}, ""},
		"the camera was away before": {
			[]event{watches(0, 1, 80), starts(2.5, 3), succeeds(2.6, 3), watches(2.7, 3.5, 140)},
			"3 failed 1.0>2.9 the last image before it is 1.50 s old\n",
		},
		"no camera before": {
			[]event{starts(2.5, 3), succeeds(2.6, 3), watches(2.7, 3.5, 140)},
			"3 failed none>2.9 the camera showed nothing before it\n",
		},
		"the camera goes away": {
			[]event{watches(0, 1, 80), starts(1, 3), sees(1.2, 90), succeeds(1.3, 3), waits(6.2),
				waits(6.4)},
			"3 failed 1.0>1.2 the scene had not come to rest after 5.00 s\n",
		},
		"the camera goes away at once": {
			[]event{watches(0, 1, 80), starts(1.1, 3), succeeds(1.3, 3), waits(6.4)},
			"3 failed 1.0>none the camera showed nothing after it\n",
		},
		"the camera comes back": {
			[]event{watches(0, 1, 80), starts(1, 3), succeeds(1.3, 3), waits(3), watches(3.1, 4, 140)},
			"3 ok 1.0>3.2\n",
		},
		"black frames are not used": {
			[]event{watches(0, 0.9, 80), black(1), starts(1, 3), succeeds(1.1, 3), black(1.2), black(1.3),
				black(1.4), black(1.5), watches(1.6, 2, 140)},
			"3 ok 0.9>1.7\n",
		},
		"broken frames are not used": {
			[]event{watches(0, 0.9, 80), broken(1), starts(1, 3), succeeds(1.1, 3), broken(1.4),
				watches(1.5, 2, 140)},
			"3 ok 0.9>1.6\n",
		},
		"outliers among the frames": {
			[]event{stamped(-0.1, 500, gray(80)), watches(0, 1, 80), stamped(1, 900, gray(7)), starts(1, 3),
				stamped(1, -700, gray(7)), sees(1.1, 90), stamped(1.1, 40, gray(7)), succeeds(1.3, 3),
				stamped(1.1, -60, gray(7)), watches(1.2, 3, 140)},
			"3 ok 1.0>1.6\n",
		},
		"the camera was away for long": {
			[]event{watches(0, 1, 80), sees(60, 80), starts(60, 3), succeeds(60.2, 3),
				watches(60.1, 61, 140)},
			"3 ok 60.0>60.5\n",
		},
		"the receiver's clock goes back": {
			[]event{watches(0, 1, 80), starts(1, 3), watches(-9, -8, 80), starts(-8, 5), succeeds(-7.9, 5),
				watches(-7.9, -7, 80)},
			"3 failed 1.0>none the receiver's clock went back\n5 ok -8.0>-7.6\n",
		},
		"a reset between two attempts": {
			[]event{watches(0, 1, 80), starts(1, 3), succeeds(1.3, 3), watches(1.1, 2, 140), resets(2.05),
				watches(2.1, 3, 200), starts(3, 5), succeeds(3.1, 5), watches(3.1, 4, 110)},
			"3 ok 1.0>1.6\n5 ok 3.0>3.4\n",
		},
		"a reset while a skill runs": {
			[]event{watches(0, 1, 80), starts(1, 3), watches(1.1, 1.5, 140), resets(1.5),
				watches(1.6, 2, 200), succeeds(2, 3), watches(2.1, 3, 200), starts(3, 5), succeeds(3.1, 5),
				watches(3.1, 4, 110)},
			"3 failed 1.0>1.5 the scene was reset while it ran\n5 ok 3.0>3.4\n",
		},
		"a reset before the scene has come to rest": {
			[]event{watches(0, 1, 80), starts(1, 3), succeeds(1.3, 3), watches(1.1, 1.4, 140), resets(1.5),
				watches(1.6, 3, 200)},
			"3 failed 1.0>1.4 the scene was reset before it had come to rest\n",
		},
		"a reset after a refusal that has not settled": {
			[]event{watches(0, 1, 80), starts(1, 3), refuses(1.1, 3), watches(1.1, 1.2, 80), resets(1.2),
				watches(1.3, 3, 200)},
			"3 failed 1.0>1.2 not there; the scene was reset before it had come to rest\n",
		},
		"a reset before the camera has seen the skill": {
			[]event{watches(0, 1, 80), starts(1.1, 3), resets(1.2)},
			"3 failed 1.0>none the scene was reset while it ran\n",
		},
		"a reset, and the camera has not seen the new scene": {
			[]event{watches(0, 1, 80), resets(1.05), starts(1.1, 3), succeeds(1.3, 3), watches(1.2, 3, 140)},
			"3 failed 1.0>1.6 the last image before it is from before the scene was reset\n",
		},
		"a reset heard of after the frames that came later": {
			[]event{watches(0, 1, 80), resets(0.5), starts(1, 3), succeeds(1.3, 3), watches(1.1, 3, 140)},
			"3 failed 1.0>1.6 the last image before it is from before the scene was reset\n",
		},
		"a reset, and the start is heard of late": {
			[]event{watches(0, 1, 80), watches(1.1, 1.5, 140), resets(1.5), starts(1, 3), succeeds(1.3, 3),
				watches(1.6, 3, 140)},
			"3 failed 1.0>1.6 the last image before it is from before the scene was reset\n",
		},
		"a reset, then the receiver's clock goes back": {
			[]event{watches(0, 1, 80), resets(1), watches(-9, -8, 80), starts(-8, 5), succeeds(-7.9, 5),
				watches(-7.9, -7, 80)},
			"5 ok -8.0>-7.6\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := tell(pairing.Options{}, c.events...).String(); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

// TestRestSurvivesNoise has a frame that comes to rest as late as is allowed, and
// a little noise in the next.
func TestRestSurvivesNoise(t *testing.T) {
	for _, c := range []struct {
		next float32
		want string
	}{
		{140.2, "3 ok 1.0>1.4\n5 ok 1.5>1.9\n"},
		{147, "3 ok 1.0>1.4\n5 failed 1.5>1.9 the scene was still moving when it started\n"},
	} {
		s := tell(pairing.Options{MotionWindow: 300 * time.Millisecond}, watches(0, 1, 80), starts(1, 3),
			succeeds(1.1, 3), sees(1.1, 134.1), sees(1.4, 140),
			sees(1.5, c.next), starts(1.5, 5), succeeds(1.6, 5), watches(1.6, 3, 110))
		if got := s.String(); got != c.want {
			t.Errorf("%g: got\n%swant\n%s", c.next, got, c.want)
		}
	}
}

func TestOptions(t *testing.T) {
	moving := []event{watches(0, 1, 80), starts(1, 3), succeeds(1.3, 3), pans(1.1, 3)}
	for name, c := range map[string]struct {
		options pairing.Options
		want    string
	}{
		"no motion check": {pairing.Options{MotionThreshold: -1}, "3 ok 1.0>1.6\n"},
		"tolerant":        {pairing.Options{MotionThreshold: 50}, "3 ok 1.0>1.6\n"},
		"patient":         {pairing.Options{Settle: time.Second, MotionThreshold: -1}, "3 ok 1.0>2.3\n"},
		"when it ended":   {pairing.Options{Settle: -1, MotionThreshold: -1}, "3 ok 1.0>1.3\n"},
	} {
		if got := tell(c.options, moving...).String(); got != c.want {
			t.Errorf("%s: got %swant %s", name, got, c.want)
		}
	}
}

func TestCounts(t *testing.T) {
	s := tell(pairing.Options{}, watches(0, 1, 80), sees(1, 80), stamped(1, -0.5, gray(80)),
		succeeds(1, 7), black(1.1), broken(1.2), starts(1.2, 3), stamped(1.3, 900, gray(80)),
		stamped(1.4, -9, gray(80)), stamped(1.5, -9, gray(80)))
	want := pairing.Counts{Unordered: 2, Blank: 1, Unreadable: 1, UnmatchedEnds: 1,
		Outliers: 1, Jumps: 1}
	if got := s.pairer.Counts(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestHistoryIsBounded(t *testing.T) {
	examined := 0
	s := tell(pairing.Options{MotionThreshold: -1})
	for i := range 1000 {
		frame(float64(i)/10, func() (pairing.View, error) { examined++; return gray(80)() })(s)
	}
	s.attempts = nil
	// The start lies before all that is remembered.
	starts(10, 3)(s)
	succeeds(10.5, 3)(s)
	watches(100, 101, 80)(s)
	want := "3 failed none>none the camera showed nothing after it; the camera showed nothing " +
		"before it\n"
	if got := s.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if examined > 30 {
		t.Errorf("looked at %d frames of which a history has 20", examined)
	}
}

// TestMemoryIsBounded has room for ten images; motion is told all the same, by what it takes.
func TestMemoryIsBounded(t *testing.T) {
	for images, want := range map[int]time.Duration{10: 900 * time.Millisecond,
		1: 200 * time.Millisecond} {
		s := tell(pairing.Options{Memory: images * 1000})
		for i := range 50 {
			s.pairer.Frame(&pairing.Frame{Stamp: at(float64(i) / 10), Received: at(float64(i) / 10),
				Payload: make([]byte, 1000), Thumbnail: gray(80)})
		}
		if kept := s.pairer.Kept(); kept != want {
			t.Errorf("room for %d images keeps %s, want %s", images, kept, want)
		}
		starts(4.9, 1)(s)
		sees(5, 80)(s)
		succeeds(5, 1)(s)
		watches(5.1, 6, 120)(s)
		if got, want := s.String(), "1 ok 4.9>5.3\n"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestTheTopicOfImagesChanges while a skill runs: no transition could say so.
func TestTheTopicOfImagesChanges(t *testing.T) {
	on := func(topic string, from, to float64) event {
		return func(s *story) {
			for i := range int((to-from)*10+0.5) + 1 {
				stamp := at(from + float64(i)/10)
				s.attempts = append(s.attempts, s.pairer.Frame(&pairing.Frame{Stamp: stamp, Received: stamp,
					Topic: topic, Thumbnail: gray(80)})...)
			}
		}
	}
	s := tell(pairing.Options{}, on("/raw", 0, 1), starts(1, 1), succeeds(1.1, 1),
		on("/raw/compressed", 1.2, 3), starts(3, 2), succeeds(3.1, 2), on("/raw/compressed", 3.2, 4))
	want := "1 failed 1.0>none the camera's images came on /raw before it and on /raw/compressed " +
		"after it\n2 ok 3.0>3.4\n"
	if got := s.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestRestIsForgottenWithTheScene has a scene that somebody still works in, which happens to look
// as it did at rest.
func TestRestIsForgottenWithTheScene(t *testing.T) {
	for _, c := range []struct {
		between event
		want    string
	}{
		{waits(1.7), "3 ok 1.0>1.6\n5 ok 2.0>2.4\n"},
		{resets(1.7), "3 ok 1.0>1.6\n5 failed 2.0>2.4 the scene was still moving when it started\n"},
	} {
		s := tell(pairing.Options{}, watches(0, 1, 80), starts(1, 3), succeeds(1.3, 3),
			watches(1.1, 1.6, 140), c.between,
			sees(1.8, 140), sees(1.9, 200), sees(2, 140), starts(2, 5), succeeds(2.1, 5),
			watches(2.1, 3, 110))
		if got := s.String(); got != c.want {
			t.Errorf("got\n%swant\n%s", got, c.want)
		}
	}
}

// TestNoAttemptSpansAReset resets the scene at any time: what is not failed has both images on one
// side of it.
func TestNoAttemptSpansAReset(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tenths := rapid.IntRange(0, 60).Draw(t, "reset at")
		reset := float64(tenths) / 10
		level := func(i int) float32 { return float32(80 + 30*(i/15)) }
		events := []event{}
		for i := range 70 {
			now := float64(i) / 10
			events = append(events, sees(now, level(i)))
			if i == tenths {
				events = append(events, resets(reset))
			}
			switch action := byte(i/15 + 1); i % 15 {
			case 3:
				events = append(events, starts(now, action))
			case 5:
				events = append(events, succeeds(now, action))
			}
		}
		s := tell(pairing.Options{}, events...)
		good := 0
		for _, a := range s.attempts {
			if a.Outcome == msgs.TransitionFailed {
				if !strings.Contains(a.Note, "reset") && !strings.Contains(a.Note, "moving") &&
					!strings.Contains(a.Note, "camera") {
					t.Errorf("reset at %.1f: action %d failed: %s", reset, a.Action, a.Note)
				}
				continue
			}
			good++
			if interval := at(reset); !a.Before.Stamp.After(interval) &&
				!a.After.Stamp.Before(interval.Add(time.Millisecond)) {
				t.Errorf("reset at %.1f: action %d from %s to %s", reset, a.Action, stampOf(a.Before),
					stampOf(a.After))
			}
		}
		if good < 3 {
			t.Errorf("reset at %.1f: %d good attempts:\n%s", reset, good, s)
		}
	})
}

// TestUnfitStarts has a start of which no attempt can be made while a skill runs, twice, and its
// end: it is named once, and the skill that ran is recorded as if it had not been.
func TestUnfitStarts(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*msgs.SkillStatus)
		want   string // empty if it is fit
	}{
		"no action": {func(m *msgs.SkillStatus) { m.Action = 0 },
			"action 0; have the executor number its skills from 1"},
		"its clock is ahead": {func(m *msgs.SkillStatus) { m.Header.Stamp.Sec += 3600 },
			"stamped far from the time that the executor's clock had so far"},
		"its clock is late": {func(m *msgs.SkillStatus) { m.Header.Stamp.Sec -= 11 },
			"stamped far from"},
		"long ago": {func(m *msgs.SkillStatus) { m.Header.Stamp = msgs.Time{Sec: -1 << 31} },
			"stamped far from"},
		"no stamp": {func(m *msgs.SkillStatus) { m.Header.Stamp = msgs.Time{} }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			unfit := &msgs.SkillStatus{Header: msgs.Header{Stamp: msgs.TimeFrom(at(1.1))}, Action: 9,
				ExecutionID: msgs.UUID{UUID: [16]uint8{9}}, Phase: msgs.SkillStatusStarted}
			c.change(unfit)
			hear := func(phase uint8) event {
				return func(s *story) {
					m := *unfit
					m.Phase = phase
					s.attempts = append(s.attempts, s.pairer.Status(&m, at(1.1))...)
				}
			}
			s := tell(pairing.Options{}, watches(0, 1, 80), starts(1, 3), hear(msgs.SkillStatusStarted),
				hear(msgs.SkillStatusStarted),
				hear(msgs.SkillStatusSucceeded), succeeds(1.3, 3), watches(1.1, 3, 140))
			got, named := s.String(), strings.Count(s.String(), "none>none")
			if c.want == "" {
				if named != 0 || !strings.Contains(got, "9 ") {
					t.Errorf("got\n%s", got)
				}
				return
			}
			if named != 1 || !strings.Contains(got, c.want) || !strings.HasSuffix(got, "\n3 ok 1.0>1.6\n") ||
				s.pairer.Counts().UnmatchedEnds != 0 {
				t.Errorf("got\n%swant %q", got, c.want)
			}
		})
	}
}

func TestEachExecutionNeedsAnID(t *testing.T) {
	s := tell(pairing.Options{}, watches(0, 1, 80), starts(1, 0), starts(1, 0), func(s *story) {
		m := &msgs.SkillStatus{Action: 7, Phase: msgs.SkillStatusStarted}
		s.attempts = append(s.attempts, s.pairer.Status(m, at(1))...)
	})
	if len(s.attempts) != 3 ||
		!strings.Contains(s.attempts[2].Note, "execution_id is all zero; have the executor") {
		t.Errorf("got\n%s", s)
	}
}

// TestUnfitStartsMayMoveTheScene has one between a skill's end and its image after.
func TestUnfitStartsMayMoveTheScene(t *testing.T) {
	s := tell(pairing.Options{}, watches(0, 1, 80), starts(1, 3), sees(1.1, 140), succeeds(1.1, 3),
		starts(1.3, 0), watches(1.2, 3, 20))
	if got := s.attempts[len(s.attempts)-1]; got.Action != 3 || got.Outcome != msgs.TransitionFailed ||
		got.After.Stamp.After(at(1.3)) {
		t.Errorf("got\n%s", s)
	}
}
