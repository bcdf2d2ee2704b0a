package pairing_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

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
