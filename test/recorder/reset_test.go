package recorder

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"stripswm/bags"
	"stripswm/msgs"
	"stripswm/test/internal/process"
)

// TestResetsAreRecorded resets the rig between two skills and in the middle of one.
func TestResetsAreRecorded(t *testing.T) {
	t.Parallel()
	bag := filepath.Join(t.TempDir(), "bag")
	p, _, rec := cell(t, bag)
	reset := func() {
		t.Helper()
		if ok, text := p.trigger("/simrig/reset"); !ok {
			t.Fatalf("reset: %s", text)
		}
		time.Sleep(300 * time.Millisecond) // the camera sees the new scene, at rest
	}
	p.run(pick)
	p.recorded()
	reset()
	p.run(pick) // applies again: the block is back
	p.recorded()

	p.set("skill_duration", 2*process.Patience.Seconds())
	running := make(chan struct{}, 10_000)
	g := must(p.skills.Send(process.Soon(t), &msgs.ExecuteSkillGoal{Action: place},
		func(feedback) { running <- struct{}{} }))
	process.Receive(t, "that the skill has begun", running)
	reset()
	p.recorded() // at once: nothing of the rest of the skill counts
	must(0, g.Cancel(process.Soon(t)))
	if res, _, err := g.Result(process.Soon(t)); err != nil ||
		res.Outcome != msgs.ExecuteSkillResultFailed {
		t.Errorf("the skill that was under way: %+v, %v", res, err)
	}
	p.set("skill_duration", 0.05)
	time.Sleep(300 * time.Millisecond)
	p.run(pick)
	p.recorded()
	p.run(place)
	p.recorded()
	rec.Stop(syscall.SIGTERM)

	want := []attempt{
		{action: pick, outcome: bags.Succeeded},
		{action: pick, outcome: bags.Succeeded, reset: true},
		{action: place, outcome: bags.Failed, note: "the scene was reset while it ran"},
		{action: pick, outcome: bags.Succeeded, reset: true},
		{action: place, outcome: bags.Succeeded},
	}
	got := read(t, bag)
	if len(got) != len(want) {
		t.Fatalf("%d transitions, want %d", len(got), len(want))
	}
	for i, w := range want {
		if g := got[i]; g.action != w.action || g.outcome != w.outcome || g.reset != w.reset ||
			!strings.Contains(g.note, w.note) {
			t.Errorf("transition %d: action %d %s, reset %t, note %q; want %d %s, %t, %q", i, g.action,
				g.outcome, g.reset, g.note, w.action, w.outcome, w.reset, w.note)
		}
		if moved := i > 0 && got[i-1].after.Motion(&got[i].before) > 6; moved && !w.reset {
			t.Errorf("transition %d begins with another image than the one before ends with", i)
		}
	}
	if !rec.Out.Has("the scene was reset 2 times") {
		t.Errorf("report:\n%s", &rec.Out)
	}
}
