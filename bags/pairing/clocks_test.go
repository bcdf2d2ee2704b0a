package pairing_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"stripswm/bags/pairing"
	"stripswm/msgs"
)

// A dial is what a clock shows so long after the story began; nil stamps nothing.
type dial func(time.Duration) time.Duration

func off(by time.Duration) dial {
	return func(t time.Duration) time.Duration { return t + by }
}

func drifting(by float64) dial {
	return func(t time.Duration) time.Duration { return t + time.Duration(by*float64(t)) }
}

// stepping is set in the middle of a skill.
func stepping(by time.Duration) dial {
	return func(t time.Duration) time.Duration {
		if t > skillsApart*skillsTold/2+700*time.Millisecond {
			return t + by
		}
		return t
	}
}

const (
	skillsTold  = 12
	skillsApart = 6 * time.Second
)

// TestClocksThatDiffer has camera and executor with any clocks, and images that are up to 80 ms
// under way: each attempt has an image from before and one from after, or it failed for a reason
// that names a clock.
func TestClocksThatDiffer(t *testing.T) {
	dials := map[string]dial{"true": off(0), "0.4 s ahead": off(400 * time.Millisecond),
		"0.4 s behind": off(-400 * time.Millisecond), "1.9 s behind": off(-1900 * time.Millisecond),
		"2.5 s behind": off(-2500 * time.Millisecond), "an hour ahead": off(time.Hour),
		"an hour behind": off(-time.Hour), "1 % fast": drifting(0.01), "1 % slow": drifting(-0.01),
		"set on": stepping(500 * time.Millisecond), "set back": stepping(-500 * time.Millisecond),
		"set back by an hour": stepping(-time.Hour), "set on by an hour": stepping(time.Hour),
		"no stamps": nil}
	for camera, c := range dials {
		for executor, e := range dials {
			t.Run("camera "+camera+", executor "+executor, func(t *testing.T) {
				good := 0
				for _, a := range play(c, e) {
					switch {
					case a.Outcome != msgs.TransitionSucceeded:
						if !strings.Contains(a.Note, "clock") {
							t.Errorf("action %d failed: %s", a.Action, a.Note)
						}
						continue
					case a.Before == nil || a.After == nil:
						t.Fatalf("action %d succeeded without images", a.Action)
					}
					good++
					want := [2]uint8{uint8(2*a.Action - 2), uint8(2 * a.Action)}
					if got := [2]uint8{a.Before.Payload[0], a.After.Payload[0]}; got != want {
						t.Errorf("action %d has images %d, want %d", a.Action, got, want)
					}
				}
				if set := strings.Contains(camera+executor, "set"); good < skillsTold-3 ||
					good < skillsTold && !set && !strings.Contains(executor, "hour") &&
						!strings.Contains(executor, "2.5 s") {
					t.Errorf("%d of %d attempts are good", good, skillsTold)
				}
			})
		}
	}
}

// play tells a pairer of skills, numbered from 1, each of which moves the scene for a second. An
// image shows twice the number of skills that have ended, and one more while one runs. The scene is
// looked at as it is: nothing but the order tells images apart.
func play(camera, executor dial) []pairing.RecordedAttempt {
	o := pairing.Options{MotionThreshold: -1, Settle: -1}
	if camera == nil {
		o.Settle = 30 * time.Millisecond // what images are under way for more than 50 ms
	}
	p := pairing.New(o)
	begin, random := time.Unix(1_000_000, 0), rand.New(rand.NewPCG(1, 2))
	type message struct {
		received time.Duration
		give     func(received time.Time) []pairing.RecordedAttempt
	}
	var all []message
	const start = 3 * time.Second // of a skill, after that of the one before
	last := time.Duration(0)
	for taken := time.Duration(0); taken < (skillsTold+1)*skillsApart; taken += 40 * time.Millisecond {
		ended := int((taken + skillsApart - start - time.Second) / skillsApart)
		shows := uint8(2 * ended)
		if running := taken % skillsApart; running >= start && running < start+time.Second &&
			ended < skillsTold {
			shows++
		}
		shows = min(shows, 2*skillsTold)
		last = max(last, taken+time.Duration(random.IntN(80))*time.Millisecond)
		all = append(all, message{last, func(received time.Time) []pairing.RecordedAttempt {
			f := &pairing.Frame{Stamp: received, Received: received, Unstamped: camera == nil,
				Payload: []byte{shows}, Thumbnail: gray(80)}
			if camera != nil {
				f.Stamp = begin.Add(camera(taken))
			}
			return p.Frame(f)
		}})
	}
	say := func(at time.Duration, action int, phase uint8) {
		m := &msgs.SkillStatus{Action: uint32(action), Phase: phase}
		m.ExecutionID.UUID[0] = byte(action)
		if executor != nil {
			m.Header.Stamp = msgs.TimeFrom(begin.Add(executor(at)))
		}
		all = append(all, message{at + time.Duration(10+random.IntN(10))*time.Millisecond,
			func(received time.Time) []pairing.RecordedAttempt { return p.Status(m, received) }})
	}
	for i := range skillsTold {
		from := time.Duration(i) * skillsApart
		say(from+start-1500*time.Millisecond, 0, msgs.SkillStatusIdle)
		say(from+start-500*time.Millisecond, 0, msgs.SkillStatusIdle)
		say(from+start, i+1, msgs.SkillStatusStarted)
		say(from+start+time.Second, i+1, msgs.SkillStatusSucceeded)
	}
	slices.SortStableFunc(all, func(a, b message) int { return cmp.Compare(a.received, b.received) })
	var attempts []pairing.RecordedAttempt
	for _, m := range all {
		attempts = append(attempts, m.give(begin.Add(m.received))...)
	}
	return attempts
}

func TestClocksAreMeasured(t *testing.T) {
	for _, ahead := range []float64{0, 3, -2.5, 3600, -86400} {
		s := tell(pairing.Options{}, watches(0, 1, 80))
		for i := range 2 {
			m := &msgs.SkillStatus{Header: msgs.Header{Stamp: msgs.TimeFrom(at(1.4 + float64(i) + ahead))}}
			s.pairer.Status(m, at(1.4+float64(i)))
		}
		camera, executor := s.pairer.Delays()
		if camera != 0 || executor.Seconds() != -ahead {
			t.Errorf("%g s ahead, measured as %s and %s", ahead, camera, executor)
		}
		if warned := s.pairer.ClockWarning(); (warned != "") != (ahead != 0) {
			t.Errorf("%g s ahead: warns %q", ahead, warned)
		}
	}
}

// TestAnImageOnTheWay was taken before the skill ended, and is received after it.
func TestAnImageOnTheWay(t *testing.T) {
	for _, ahead := range []float64{0, 0.4, -0.4, 3600, -3600} {
		see := func(taken, received float64, level float32) event {
			return func(s *story) {
				s.attempts = append(s.attempts, s.pairer.Frame(&pairing.Frame{Stamp: at(taken + ahead),
					Received: at(received), Thumbnail: gray(level)})...)
			}
		}
		s := tell(pairing.Options{MotionThreshold: -1, Settle: -1}, see(0, 0, 80), see(0.1, 0.1, 80),
			see(0.2, 0.2, 80), starts(0.3, 1), see(0.5, 0.5, 90), succeeds(0.7, 1), see(0.6, 0.9, 90),
			see(1.2, 1.2, 140), see(1.3, 1.3, 140))
		if len(s.attempts) != 1 || s.attempts[0].After.Received != at(1.2) {
			t.Errorf("%g s ahead:\n%s", ahead, s)
		}
	}
}
