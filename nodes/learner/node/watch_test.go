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

func TestContinuity(t *testing.T) {
	at := func(s int) time.Time { return time.Unix(int64(1000+s), 0) }
	for name, c := range map[string]struct {
		events func(*continuity)
		broken bool
	}{
		"the first":          {func(*continuity) {}, true},
		"after a transition": {func(c *continuity) { c.mends(at(1), false) }, false},
		"after a refused one": {func(c *continuity) { c.mends(at(1), false); c.mends(at(2), true) },
			false},
		"refused at first":   {func(c *continuity) { c.mends(at(1), true) }, true},
		"after a failed one": {func(c *continuity) { c.mends(at(1), false); c.breaks() }, true},
		"reset": {func(c *continuity) { c.mends(at(1), false); c.resets(at(2)) },
			true},
		"one after the reset": {
			func(c *continuity) { c.mends(at(1), false); c.resets(at(2)); c.mends(at(3), false) }, false},
		"refused after the reset": {
			func(c *continuity) { c.mends(at(1), false); c.resets(at(2)); c.mends(at(3), true) }, true},
		"reset overtakes": {func(c *continuity) { c.resets(at(2)); c.mends(at(1), false) },
			true},
		"reset overtakes a refusal": {
			func(c *continuity) { c.mends(at(0), false); c.resets(at(2)); c.mends(at(1), true) }, true},
		"one after both": {
			func(c *continuity) { c.resets(at(2)); c.mends(at(1), false); c.mends(at(3), false) }, false},
	} {
		k := continuity{broken: true}
		if c.events(&k); k.broken != c.broken {
			t.Errorf("%s: broken %t", name, k.broken)
		}
	}
}
