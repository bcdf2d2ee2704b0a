package node

import (
	"errors"
	"strings"
	"testing"
	"time"

	"stripswm/bags"
	"stripswm/models/strips"
	"stripswm/models/traces"
	"stripswm/msgs"
	"stripswm/nodes/exploration"
	"stripswm/nodes/ros"
)

// ready brings an explorer to where it would choose what to try.
func (b *table) ready(e *Explorer) {
	b.t.Helper()
	for _, step := range []func() error{
		func() error { return e.gather(b.patience()) },
		func() error { _, err := e.open(b.patience(), new(exploration.Status)); return err },
		func() error { _, err := e.ready(b.patience()); return err },
	} {
		must(0, step())
	}
}

// attempt is what became of one.
type attempt struct {
	outcome bags.Outcome
	reset   bool
}

func (b *table) try(e *Explorer, a strips.ActionID) attempt {
	b.t.Helper()
	o, reset, err := robot{e}.Try(b.patience(), a)
	if err != nil {
		b.t.Fatal(err)
	}
	return attempt{o, reset}
}

func TestAttempts(t *testing.T) {
	b := newTable(t)
	e := b.explorer("actions:=3")
	b.ready(e)
	for i, want := range []struct {
		action  strips.ActionID
		outcome bags.Outcome
		place   int
	}{
		{1, bags.Succeeded, 1},
		{3, bags.Refused, 1},
		{2, bags.Succeeded, 0},
	} {
		a := b.try(e, want.action)
		b.set(func() {
			if b.place != want.place || a != (attempt{want.outcome, false}) {
				t.Errorf("attempt %d: %+v, at %d; want %+v", i, a, b.place, want)
			}
		})
	}
}

// TestResetsReachTheSession tells of a changed scene before a skill, while it runs, and after it.
func TestResetsReachTheSession(t *testing.T) {
	b := newTable(t)
	e := b.explorer("actions:=3")
	b.ready(e)
	b.try(e, 1)
	told := func() {
		b.somebody()
		for !e.disturbed() {
			time.Sleep(time.Millisecond)
		}
	}
	told()
	if a := b.try(e, 1); !a.reset || e.disturbed() {
		t.Errorf("before: %+v, to come: %t", a.reset, e.disturbed())
	}
	b.during = told
	if a := b.try(e, 1); !a.reset || !e.disturbed() {
		t.Errorf("while it runs, perhaps after: %t, to come: %t", a.reset, e.disturbed())
	}
	b.instead = func(m *msgs.Transition) bool { m.Outcome = msgs.TransitionFailed; return true }
	if a := b.try(e, 1); a.outcome != bags.Failed || e.disturbed() {
		t.Errorf("which the recorder has as failed: %+v, to come: %t", a.outcome, e.disturbed())
	}
	b.during, b.instead = nil, nil
	told()
	if reset, err := e.ready(b.patience()); err != nil || !reset || e.disturbed() {
		t.Errorf("before a choice: %t, %v, to come: %t", reset, err, e.disturbed())
	}
}

// TestWhatIsNotRecordedCountsAsFailed loses transitions on the way.
func TestWhatIsNotRecordedCountsAsFailed(t *testing.T) {
	b := newTable(t)
	e := b.explorer("actions:=3")
	b.ready(e)
	b.instead = func(*msgs.Transition) bool { return false }
	for i := range unrecorded {
		o, _, err := robot{e}.Try(b.patience(), 1)
		if last := i == unrecorded-1; last != (err != nil) || o != bags.Failed {
			t.Fatalf("attempt %d: %v, %v", i, o, err)
		}
	}
}

func TestTheRecorderGoes(t *testing.T) {
	b := newTable(t)
	e := b.explorer("actions:=3")
	b.ready(e)
	b.instead = func(*msgs.Transition) bool { return false }
	must(0, b.records.Close())
	if _, _, err := (robot{e}).Try(b.patience(), 1); err == nil ||
		!strings.Contains(err.Error(), "the recorder does not answer: start it again") {
		t.Errorf("error %v", err)
	}
}

// TestOthersUseTheTable marks the last attempt failed, and runs a skill by hand.
func TestOthersUseTheTable(t *testing.T) {
	b := newTable(t)
	e := b.explorer("actions:=3")
	b.ready(e)
	var last msgs.Transition
	b.instead = func(m *msgs.Transition) bool { last = *m; return true }
	if a := b.try(e, 1); a.outcome != bags.Succeeded {
		t.Fatalf("%+v", a)
	}
	must(0, e.explorer.Policy.Explorer.Observe(1, traces.Succeeded, 20))
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
		if a := b.try(e, 1); !a.reset || a.outcome != bags.Succeeded || !b.log.Has(c.said) {
			t.Errorf("%s: %+v", c.said, a.outcome)
		}
	}
	if n := e.explorer.Policy.Explorer.Learned(); n != 0 {
		t.Errorf("facts are learned from %d successes, one of which was marked failed", n)
	}
}

// TestTheExecutorFails ends the exploration with the cause, and blames nobody else.
func TestTheExecutorFails(t *testing.T) {
	for want, fail := range map[string]func(b *table, over chan bool){
		"has not answered the goal": func(b *table, over chan bool) { b.silent = over },
		"action 1 ended: it may still run": func(b *table, over chan bool) {
			b.during = func() { <-over }
		},
		"on skill_status of action 7": func(b *table, _ chan bool) {
			b.says = func(m *msgs.SkillStatus) { m.Action = 7 }
			b.instead = func(m *msgs.Transition) bool { m.Action = 7; return true }
		},
		"of another execution_id": func(b *table, _ chan bool) {
			b.says = func(m *msgs.SkillStatus) { m.ExecutionID.UUID[0] += m.Phase }
			b.instead = func(*msgs.Transition) bool { return false }
		},
		"says nothing on skill_status of action 1": func(b *table, _ chan bool) {
			b.says = func(m *msgs.SkillStatus) { m.Action, m.Phase = 0, msgs.SkillStatusIdle }
			b.instead = func(*msgs.Transition) bool { return false }
		},
	} {
		t.Run(want, func(t *testing.T) {
			b, over := newTable(t), make(chan bool)
			t.Cleanup(func() { close(over) })
			e := b.explorer("actions:=3", "skill_timeout:=0.3")
			b.ready(e)
			fail(b, over)
			if _, _, err := (robot{e}).Try(b.patience(), 1); err == nil ||
				!strings.Contains(err.Error(), want) {
				t.Errorf("error %v", err)
			}
			if b.log.Has("somebody else") {
				t.Error("it blames somebody else")
			}
		})
	}
}

func TestTheExecutorIsBusy(t *testing.T) {
	b := newTable(t)
	e := b.explorer("actions:=3")
	b.ready(e)
	b.set(func() { b.busy = 1 })
	if a := b.try(e, 1); a.outcome != bags.Succeeded {
		t.Errorf("outcome %v", a.outcome)
	}
	e.patience.busy = 0
	b.set(func() { b.busy = 10 })
	if _, _, err := (robot{e}).Try(b.patience(), 1); !errors.Is(err, ros.ErrRejected) ||
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
