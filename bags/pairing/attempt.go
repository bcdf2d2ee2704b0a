package pairing

import (
	"time"

	"stripswm/msgs"
)

// An RecordedAttempt is one execution of a skill with what the camera saw.
type RecordedAttempt struct {
	Execution msgs.UUID
	Action    uint32
	Outcome   uint8 // msgs.TransitionSucceeded, TransitionRefused or TransitionFailed
	Note      string
	Started   time.Time // at the earliest, by the receiver's clock
	Ended     time.Time // when that was received; zero if no end was reported
	Before    *Frame    // nil if the camera showed nothing before
	After     *Frame    // nil if the camera showed nothing after
}

// Complete reports whether there are both images. An attempt without them
// cannot be recorded.
func (a *RecordedAttempt) Complete() bool { return a.Before != nil && a.After != nil }

// Message is a complete attempt as a message.
func (a *RecordedAttempt) Message() *msgs.Transition {
	return &msgs.Transition{
		Header:     msgs.Header{Stamp: msgs.TimeFrom(a.After.Stamp), FrameID: a.After.FrameID},
		ImageTopic: a.After.Topic, Before: msgs.TimeFrom(a.Before.Stamp),
		Action: a.Action, After: msgs.TimeFrom(a.After.Stamp), Outcome: a.Outcome, Note: a.Note,
	}
}

// fail makes the attempt evidence of nothing. The first reason counts most and stays.
func (a *RecordedAttempt) fail(note string) {
	if a.Note != "" {
		note = a.Note + "; " + note
	}
	a.Outcome, a.Note = msgs.TransitionFailed, note
}

// pending is an attempt that lacks its end or its image after.
type pending struct {
	RecordedAttempt
	marked   string    // why an operator marked it failed
	until    time.Time // when the next skill started: later frames show something else
	since    time.Time // when the skill before ended
	checked  time.Time // frames received up to then were looked at
	restless bool      // the scene moved in the image before
}

func (a *pending) ended() bool { return !a.Ended.IsZero() }

// outcomes of the phases that end a skill. What was canceled is of unknown result.
var outcomes = map[uint8]uint8{
	msgs.SkillStatusSucceeded: msgs.TransitionSucceeded,
	msgs.SkillStatusRefused:   msgs.TransitionRefused,
	msgs.SkillStatusFailed:    msgs.TransitionFailed,
	msgs.SkillStatusCanceled:  msgs.TransitionFailed,
}
