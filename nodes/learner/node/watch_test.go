package node

import (
	"testing"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/learn/incremental"
)

// The encoder takes frames one by one, and may be behind when a transition arrives.
func TestTransitionWaitsForItsFrames(t *testing.T) {
	begin := time.Unix(100, 0)
	w := watch{wake: make(chan struct{}, 1),
		frames:  incremental.FrameCodes{Keep: keepCodes, Near: nearFrame},
		learner: incremental.New([]string{"pick"}, incremental.Options{})}
	w.hear(&msgs.Transition{Action: 1, Outcome: msgs.TransitionSucceeded,
		Before: msgs.TimeFrom(begin), After: msgs.TimeFrom(begin.Add(time.Second))})
	if len(w.wake) > 0 {
		t.Error("does not wait")
	}
	w.frames.Add(begin, "down")
	w.frames.Add(begin.Add(time.Second), "held")
	w.takeWaiting()
	if len(w.wake) != 1 || w.missed > 0 || len(w.waiting) > 0 {
		t.Errorf("%d woken, %d missed, %d waiting", len(w.wake), w.missed, len(w.waiting))
	}
}
