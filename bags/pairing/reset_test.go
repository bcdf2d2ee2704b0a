package pairing_test

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"stripswm/bags/pairing"
	"stripswm/msgs"
)

func TestReset(t *testing.T) {
	for name, c := range map[string]struct {
		events []event
		want   string
	}{
		"between two attempts": {
			[]event{watches(0, 1, 80), starts(1, 3), succeeds(1.3, 3), watches(1.1, 2, 140), resets(2.05),
				watches(2.1, 3, 200), starts(3, 5), succeeds(3.1, 5), watches(3.1, 4, 110)},
			"3 ok 1.0>1.6\n5 ok 3.0>3.4\n",
		},
		"while a skill runs": {
			[]event{watches(0, 1, 80), starts(1, 3), watches(1.1, 1.5, 140), resets(1.5),
				watches(1.6, 2, 200), succeeds(2, 3), watches(2.1, 3, 200), starts(3, 5), succeeds(3.1, 5),
				watches(3.1, 4, 110)},
			"3 failed 1.0>1.5 the scene was reset while it ran\n5 ok 3.0>3.4\n",
		},
		"before the scene has come to rest": {
			[]event{watches(0, 1, 80), starts(1, 3), succeeds(1.3, 3), watches(1.1, 1.4, 140), resets(1.5),
				watches(1.6, 3, 200)},
			"3 failed 1.0>1.4 the scene was reset before it had come to rest\n",
		},
		"after a refusal that has not settled": {
			[]event{watches(0, 1, 80), starts(1, 3), refuses(1.1, 3), watches(1.1, 1.2, 80), resets(1.2),
				watches(1.3, 3, 200)},
			"3 failed 1.0>1.2 not there; the scene was reset before it had come to rest\n",
		},
		"before the camera has seen the skill": {
			[]event{watches(0, 1, 80), starts(1.1, 3), resets(1.2)},
			"3 failed 1.0>none the scene was reset while it ran\n",
		},
		"the camera has not seen the new scene": {
			[]event{watches(0, 1, 80), resets(1.05), starts(1.1, 3), succeeds(1.3, 3), watches(1.2, 3, 140)},
			"3 failed 1.0>1.6 the last image before it is from before the scene was reset\n",
		},
		"heard of after the frames that came later": {
			[]event{watches(0, 1, 80), resets(0.5), starts(1, 3), succeeds(1.3, 3), watches(1.1, 3, 140)},
			"3 failed 1.0>1.6 the last image before it is from before the scene was reset\n",
		},
		"the start is heard of late": {
			[]event{watches(0, 1, 80), watches(1.1, 1.5, 140), resets(1.5), starts(1, 3), succeeds(1.3, 3),
				watches(1.6, 3, 140)},
			"3 failed 1.0>1.6 the last image before it is from before the scene was reset\n",
		},
		"then the receiver's clock goes back": {
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
