package recorder

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"stripswm/bags"
	"stripswm/bags/pairing"
	"stripswm/models/strips"
	"stripswm/msgs"
	"stripswm/nodes/cvbridge"
	"stripswm/nodes/ros/rostest"
	"stripswm/nodes/sim"
	"stripswm/test/internal/process"
)

// patience is how long a tried skill may take to be recorded before the next is tried:
// longer than the recorder waits for a scene to come to rest, so that nothing comes afterwards.
const patience = 6 * time.Second

// quick is a rig whose skills do not take long, and a recorder that is as quick.
var (
	quickRig      = []string{"skill_duration:=0.05", "settling:=0.05", "rate:=60.0"}
	quickRecorder = []string{"settle:=0.1", "motion_window:=0.05", "min_free:=0"}
)

// cell launches both.
func cell(t *testing.T, bag string, recorder ...string) (p *peer, rig, rec *process.Process) {
	t.Helper()
	domain := process.Domain(t)
	rig = launch(t, domain, "simrig", quickRig...)
	rec = launch(t, domain, "recorder", append(append([]string{"directory:=" + bag}, quickRecorder...),
		recorder...)...)
	p = join(t, domain)
	p.warm()
	return p, rig, rec
}

// warm waits until executor and recorder have found each other: skills that do
// nothing are tried until one is recorded. They are all refused.
func (p *peer) warm() {
	p.t.Helper()
	for range 50 {
		p.run(100000)
		select {
		case <-p.transitions:
			return
		case <-time.After(patience):
		}
	}
	p.t.Fatal("the recorder hears nothing")
}

// attempt is a recorded transition with its images in small.
type attempt struct {
	action        uint32
	outcome       bags.Outcome
	note          string
	reset         bool
	before, after pairing.View
}

// read checks that a recording is intact and returns the attempts of known actions.
func read(t *testing.T, bag string) []attempt {
	t.Helper()
	report, err := bags.Check(context.Background(), bag, cvbridge.Describe, nil)
	if err != nil || report.Class != bags.Intact {
		t.Fatalf("check: %v, %v", report, err)
	}
	r := must(bags.Open(bag))
	defer r.Close()
	var found []attempt
	for tr, err := range r.Transitions(context.Background()) {
		must(0, err)
		if tr.Action == 100000 {
			continue
		}
		a := attempt{action: tr.Action, outcome: tr.Outcome, note: tr.Note, reset: tr.Reset}
		for view, im := range map[*pairing.View]bags.Image{&a.before: tr.Before, &a.after: tr.After} {
			p := must(cvbridge.RGB(must(im.Message()), 0))
			*view = pairing.ViewOf(p.Pix, p.Width, p.Height)
		}
		found = append(found, a)
	}
	return found
}

// TestRecordsWhatTheRigDoes walks BlocksWorld at random, with skills that are not
// applicable among them, and holds the recording against the world.
func TestRecordsWhatTheRigDoes(t *testing.T) {
	t.Parallel()
	bag := filepath.Join(t.TempDir(), "bag")
	p, rig, rec := cell(t, bag, "actions:=18")
	world := must(sim.New("blocksworld"))
	r := rand.New(rand.NewPCG(1, 2))
	n := fromEnv("STRIPS_WM_TRANSITIONS", 15)
	var actions []uint32
	var applied []bool
	for state := world.Initial(); len(actions) < n; {
		a := strips.ActionID(1 + r.IntN(18))
		next, ok := world.Apply(state, a)
		if !ok && r.IntN(10) > 0 {
			continue
		}
		state = next
		actions, applied = append(actions, uint32(a)), append(applied, ok)
		if res := p.run(uint32(a)); (res.Outcome == msgs.ExecuteSkillResultSucceeded) != ok || !ok &&
			res.Outcome != msgs.ExecuteSkillResultRefused {
			t.Errorf("action %d: outcome %d, applicable %t", a, res.Outcome, ok)
		}
		if m := p.recorded(); m.Action != uint32(a) {
			t.Errorf("action %d was recorded, %d executed", m.Action, a)
		}
	}
	rec.Stop(syscall.SIGTERM)
	rig.Stop(syscall.SIGINT)
	got := read(t, bag)
	if len(got) != n {
		t.Fatalf("%d transitions, want %d", len(got), n)
	}
	for i, a := range got {
		want := bags.Refused
		if applied[i] {
			want = bags.Succeeded
		}
		if a.action != actions[i] || a.outcome != want {
			t.Errorf("transition %d: action %d %s (%s), want %d %s", i, a.action, a.outcome, a.note,
				actions[i], want)
		}
		if moved := a.before.Motion(&a.after) > 6; moved != applied[i] {
			t.Errorf("transition %d: the images differ by %.1f, applied %t", i, a.before.Motion(&a.after),
				applied[i])
		}
		if i > 0 && got[i-1].after.Motion(&a.before) > 6 {
			t.Errorf("transition %d begins with another image than the one before ends with", i)
		}
	}
	t.Logf("%s", &rec.Out)
}

func TestServices(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p, _, rec := cell(t, filepath.Join(dir, "first"))
	start := func(bag string) *msgs.StartRecordingResponse {
		return rostest.Call[*msgs.StartRecordingResponse](p.node, "/recorder/start",
			&msgs.StartRecordingRequest{Directory: bag})
	}
	stop := func() *msgs.StopRecordingResponse {
		return rostest.Call[*msgs.StopRecordingResponse](p.node, "/recorder/stop",
			&msgs.StopRecordingRequest{})
	}
	mark := func(note string) *msgs.MarkFailedResponse {
		return rostest.Call[*msgs.MarkFailedResponse](p.node, "/recorder/mark_failed",
			&msgs.MarkFailedRequest{Note: note})
	}
	if res := start(""); res.Success || res.Message == "" {
		t.Errorf("a second start: %+v", res)
	}
	if res := stop(); !res.Success || res.Refused == 0 ||
		res.Directory != filepath.Join(dir, "first") {
		t.Errorf("stop: %+v", res)
	}
	if res := stop(); res.Success || res.Message == "" {
		t.Errorf("a second stop: %+v", res)
	}
	if res := mark(""); res.Success {
		t.Errorf("mark without a recording: %+v", res)
	}
	bag := filepath.Join(dir, "second")
	if res := start(bag); !res.Success || res.Directory != bag {
		t.Fatalf("start: %+v", res)
	}
	p.run(7) // pick from the top of the third region: applicable or not, it is recorded
	first := p.recorded()
	if res := mark("bumped"); !res.Success || res.Transition != 0 {
		t.Errorf("mark: %+v", res)
	}
	if again := p.recorded(); again.Outcome != msgs.TransitionFailed || again.Before != first.Before {
		t.Errorf("marked: %+v", again)
	}
	rec.Stop(syscall.SIGINT)
	if got := read(t, bag); len(got) != 1 || got[0].outcome != bags.Failed || got[0].note != "bumped" {
		t.Errorf("recorded: %d, %+v", len(got), got)
	}
	if !rec.Out.Has("second: 1 transitions") {
		t.Errorf("no cadence report:\n%s", &rec.Out)
	}
}
