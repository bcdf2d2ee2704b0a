package node

import (
	"errors"
	"strings"
	"testing"
	"time"

	"stripswm/bags"
	"stripswm/models/strips"
	"stripswm/msgs"
	"stripswm/nodes/exploration"
	"stripswm/nodes/ros"
)

// observe brings an explorer to where it would choose what to try.
func (b *table) observe(e *Explorer) {
	b.t.Helper()
	for _, step := range []func() error{
		func() error { return e.gather(b.patience()) },
		func() error { return e.open(b.patience()) },
		func() error { _, err := e.observe(b.patience()); return err },
	} {
		if err := step(); err != nil {
			b.t.Fatal(err)
		}
	}
}

func (b *table) try(e *Explorer, a strips.ActionID) exploration.ImageAttempt {
	b.t.Helper()
	attempt, err := robot{e}.Try(b.patience(), a)
	if err != nil {
		b.t.Fatal(err)
	}
	return attempt
}

// shows is the place in an image.
func shows(t *testing.T, a exploration.ImageAttempt) [2]int {
	t.Helper()
	if a.Before.Width != side || a.After.Width != side {
		t.Fatalf("images of %d and %d pixels", a.Before.Width, a.After.Width)
	}
	return [2]int{int(a.Before.Pix[0]) / 20, int(a.After.Pix[0]) / 20}
}

func TestAttempts(t *testing.T) {
	b := newTable(t)
	e := b.explorer("actions:=3")
	b.observe(e)
	for i, want := range []struct {
		action  strips.ActionID
		outcome bags.Outcome
		shown   [2]int
	}{
		{1, bags.Succeeded, [2]int{0, 1}},
		{3, bags.Refused, [2]int{1, 1}},
		{2, bags.Succeeded, [2]int{1, 0}},
	} {
		a := b.try(e, want.action)
		if got := shows(t, a); got != want.shown || a.Outcome != want.outcome || a.Reset ||
			a.Action != want.action {
			t.Errorf("attempt %d: %v of %d, shows %v, reset %t; want %+v", i, a.Outcome, a.Action, got,
				a.Reset, want)
		}
	}
}

// TestResetsReachTheSession tells of a changed scene before a skill, while it runs, and after it.
func TestResetsReachTheSession(t *testing.T) {
	b := newTable(t)
	e := b.explorer("actions:=3")
	b.observe(e)
	b.try(e, 1)
	told := func() {
		b.somebody()
		for !e.disturbed() {
			time.Sleep(time.Millisecond)
		}
	}
	told()
	if a := b.try(e, 1); !a.Reset || e.disturbed() {
		t.Errorf("before: %+v, to come: %t", a.Reset, e.disturbed())
	}
	b.during = told
	if a := b.try(e, 1); !a.Reset || !e.disturbed() {
		t.Errorf("while it runs, perhaps after: %t, to come: %t", a.Reset, e.disturbed())
	}
	b.instead = func(m *msgs.Transition) bool { m.Outcome = msgs.TransitionFailed; return true }
	if a := b.try(e, 1); a.Outcome != bags.Failed || e.disturbed() {
		t.Errorf("which the recorder has as failed: %+v, to come: %t", a.Outcome, e.disturbed())
	}
	b.during, b.instead = nil, nil
	told()
	if _, err := e.observe(b.patience()); err != nil || e.disturbed() {
		t.Errorf("an observation: %v, to come: %t", err, e.disturbed())
	}
}

// TestWhatIsNotSeenCountsAsFailed loses frames and transitions on the way.
func TestWhatIsNotSeenCountsAsFailed(t *testing.T) {
	for name, c := range map[string]struct {
		instead func(*msgs.Transition) bool
		outcome bags.Outcome
	}{
		"the frame before, but not its neighbours": {func(m *msgs.Transition) bool {
			m.Before = shifted(m.Before, 10*time.Millisecond)
			return true
		}, bags.Succeeded},
		"the frame before": {func(m *msgs.Transition) bool {
			m.Before = shifted(m.Before, -time.Hour)
			return true
		}, bags.Failed},
		"the frame after": {func(m *msgs.Transition) bool {
			m.After = shifted(m.After, -time.Hour)
			return true
		}, bags.Failed},
		"the transition": {func(*msgs.Transition) bool { return false },
			bags.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			b := newTable(t)
			e := b.explorer("actions:=3")
			b.observe(e)
			b.instead = c.instead
			for i := range unseen {
				must(e.observe(b.patience()))
				a, err := robot{e}.Try(b.patience(), 1)
				if last := c.outcome == bags.Failed && i == unseen-1; last != (err != nil) {
					t.Fatalf("attempt %d: %v", i, err)
				} else if last {
					break
				}
				if got := shows(t, a); a.Outcome != c.outcome || got != [2]int{i % places, (i + 1) % places} {
					t.Errorf("attempt %d: %v, shows %v", i, a.Outcome, got)
				}
			}
		})
	}
}

func shifted(m msgs.Time, by time.Duration) msgs.Time { return msgs.TimeFrom(m.GoTime().Add(by)) }

func TestTheRecorderGoes(t *testing.T) {
	b := newTable(t)
	e := b.explorer("actions:=3")
	b.observe(e)
	b.instead = func(*msgs.Transition) bool { return false }
	must(0, b.records.Close())
	if _, err := (robot{e}).Try(b.patience(), 1); err == nil ||
		!strings.Contains(err.Error(), "the recorder does not answer: start it again") {
		t.Errorf("error %v", err)
	}
}

// TestOthersUseTheTable marks the last attempt failed, and runs a skill by hand.
func TestOthersUseTheTable(t *testing.T) {
	b := newTable(t)
	e := b.explorer("actions:=3")
	b.observe(e)
	var last msgs.Transition
	b.instead = func(m *msgs.Transition) bool { last = *m; return true }
	must(0, e.session.Observe(b.patience(), b.try(e, 1)))
	b.instead = nil
	amended := last
	amended.Outcome = msgs.TransitionFailed
	for _, c := range []struct {
		said string
		m    msgs.Transition
	}{
		{"marked failed", amended},
		{"somebody else", msgs.Transition{Action: 2, Before: last.After, After: last.After,
			Outcome: msgs.TransitionSucceeded}},
	} {
		must(0, b.records.Publish(&c.m))
		for len(e.transitions) == 0 {
			time.Sleep(time.Millisecond)
		}
		if a := b.try(e, 1); !a.Reset || a.Outcome != bags.Succeeded || !b.log.Has(c.said) {
			t.Errorf("%s: %+v", c.said, a.Outcome)
		}
	}
	if n := e.session.Successes(); n != 0 {
		t.Errorf("%d attempts succeeded for the session, which has one that was marked failed", n)
	}
}

func TestTheExecutorIsBusy(t *testing.T) {
	b := newTable(t)
	e := b.explorer("actions:=3")
	b.observe(e)
	b.set(func() { b.busy = 1 })
	if a := b.try(e, 1); a.Outcome != bags.Succeeded {
		t.Errorf("outcome %v", a.Outcome)
	}
	e.patience.busy = 0
	b.set(func() { b.busy = 10 })
	if _, err := (robot{e}).Try(b.patience(), 1); !errors.Is(err, ros.ErrRejected) ||
		!strings.Contains(err.Error(), "action 1 is none of its skills") {
		t.Errorf("error %v", err)
	}
}

func TestItIsNotTriedInTheDark(t *testing.T) {
	b := newTable(t)
	b.set(func() { b.dark = true })
	e := b.explorer("actions:=3", "budget:=2")
	done := b.run(e)
	b.state(e, "waits for an image: the camera shows nothing: see whether it is covered")
	b.set(func() {
		if len(b.tried) > 0 {
			t.Errorf("tried %v", b.tried)
		}
		b.dark = false
	})
	if s := b.end(done); s.Attempts != 2 {
		t.Errorf("%+v", s)
	}
}
