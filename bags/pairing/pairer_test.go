package pairing_test

import (
	"testing"
	"time"

	"stripswm/bags/pairing"
)

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
