package recorder

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"stripswm/msgs"
	"stripswm/test/internal/process"
)

// pick takes the block at the top of the first region, which is three high at
// first, and place puts it back.
const (
	pick  = 3
	place = 12
)

// TestFaults injects each fault of the rig, one skill each, and holds what was
// recorded against what happened.
func TestFaults(t *testing.T) {
	t.Parallel()
	bag := filepath.Join(t.TempDir(), "bag")
	p, _, rec := cell(t, bag, "timeout:=0.5", "max_age:=0.5")
	state := func() string { _, s := p.trigger("/simrig/state"); return s }
	if _, s := p.trigger("/simrig/reset"); s == "" {
		t.Error("reset says nothing")
	}
	initial := state()
	expect := func(name string, action uint32, outcome uint8, note string) {
		t.Helper()
		m := p.recorded()
		if m.Action != action || m.Outcome != outcome || !strings.Contains(m.Note, note) {
			t.Errorf("%s: recorded action %d, outcome %d, note %q; want %d, %d, %q", name, m.Action,
				m.Outcome, m.Note, action, outcome, note)
		}
	}

	p.trigger("/simrig/fail_next")
	if res := p.run(pick); res.Outcome != msgs.ExecuteSkillResultFailed || state() != initial {
		t.Errorf("fail_next: outcome %d, state %s", res.Outcome, state())
	}
	expect("fail_next", pick, msgs.TransitionFailed, "the skill failed")

	p.trigger("/simrig/slip_next")
	if res := p.run(pick); res.Outcome != msgs.ExecuteSkillResultSucceeded || state() != initial {
		t.Errorf("slip_next: outcome %d, state %s", res.Outcome, state())
	}
	expect("slip_next", pick, msgs.TransitionSucceeded, "")

	p.set("status_delay", 0.4)
	p.run(pick)
	expect("delayed status", pick, msgs.TransitionSucceeded, "")
	p.set("status_delay", 0)
	p.run(place)
	expect("in time again", place, msgs.TransitionSucceeded, "")

	for _, camera := range []string{"/simrig/dropout", "/simrig/blackout"} {
		p.toggle(camera, true)
		time.Sleep(600 * time.Millisecond) // the last image gets too old
		p.run(pick)
		p.toggle(camera, false)
		expect(camera, pick, msgs.TransitionFailed, "the last image before it is")
		p.run(place)
		expect("after "+camera, place, msgs.TransitionSucceeded, "")
	}

	if ok, text := p.trigger("/simrig/move_object"); !ok || state() == initial {
		t.Errorf("move_object: %s, state %s", text, state())
	}
	if reached, _ := p.trigger("/simrig/goal_reached"); reached {
		t.Error("a goal was reached that nobody set")
	}
	if ok, text := p.trigger("/simrig/new_goal"); !ok {
		t.Errorf("new_goal: %s", text)
	}
	rec.Stop(syscall.SIGTERM)
	if got := read(t, bag); len(got) != 8 {
		t.Errorf("%d transitions, want 8", len(got))
	}
}

// TestStopsAtOnce ends both nodes while a skill is under way, and starts them again.
func TestStopsAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		bag := filepath.Join(dir, signal.String())
		p, rig, rec := cell(t, bag)
		p.set("skill_duration", 2*process.Patience.Seconds()) // who waits for it is found stuck
		must(p.skills.Send(process.Soon(t), &msgs.ExecuteSkillGoal{Action: pick},
			nil))
		t.Logf("two nodes took %s to end", rec.Stop(signal)+rig.Stop(signal))
		if got := read(t, bag); len(got) != 0 {
			t.Errorf("%d transitions of a skill that never ended", len(got))
		}
	}
}
