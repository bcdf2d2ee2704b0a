package recorder

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math/rand/v2"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"stripswm/bags"
	"stripswm/msgs"
	"stripswm/nodes/cvbridge"
	"stripswm/nodes/ros"
	"stripswm/test/internal/process"
)

// A bench is a camera of 500 Hz and an executor, so that a recorder has a transition to write every
// few milliseconds.
type bench struct {
	images *ros.Publisher[*msgs.Image]
	status *ros.Publisher[*msgs.SkillStatus]
	seen   int
}

func newBench(t *testing.T, p *peer) *bench {
	t.Helper()
	b := &bench{}
	b.images = must(ros.Advertise[*msgs.Image](p.node, "camera/image_raw", ros.SensorData))
	b.status = must(ros.Advertise[*msgs.SkillStatus](p.node, "skill_status", ros.QoS{Depth: 100}))
	if b.images.WaitForSubscribers(process.Soon(t), 1) != nil ||
		b.status.WaitForSubscribers(process.Soon(t), 1) != nil {
		t.Fatal("the recorder does not listen")
	}
	return b
}

// see publishes the next image, a grey ramp with the count in its corner.
func (b *bench) see() {
	m := image.NewGray(image.Rect(0, 0, 64, 64))
	for i := range m.Pix {
		m.Pix[i] = uint8(i % 64 * 2)
	}
	b.seen++
	m.SetGray(0, 0, color.Gray{Y: uint8(b.seen)})
	must(0, b.images.Publish(msgs.NewImage(msgs.Header{Stamp: msgs.TimeFrom(time.Now())}, m)))
	time.Sleep(2 * time.Millisecond)
}

func (b *bench) say(action uint32, phase uint8) {
	m := &msgs.SkillStatus{Header: msgs.Header{Stamp: msgs.TimeFrom(time.Now())}, Action: action,
		Phase: phase}
	m.ExecutionID.UUID = [16]byte{byte(action), byte(action >> 8), 1}
	must(0, b.status.Publish(m))
}

// attempts runs skill after skill, each with a number of its own, until the context ends.
func (b *bench) attempts(ctx context.Context) {
	for action := uint32(1); ctx.Err() == nil; action++ {
		b.see()
		b.say(action, msgs.SkillStatusStarted)
		b.see()
		b.say(action, msgs.SkillStatusSucceeded)
		for range 4 {
			b.see()
		}
	}
}

// TestAcknowledgedTransitionsSurviveKill kills the recorder at random instants
// and looks for everything that it had published.
func TestAcknowledgedTransitionsSurviveKill(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, uint64(fromEnv("STRIPS_WM_SEED", 8))))
	acknowledged, lost := 0, 0
	for round := range fromEnv("STRIPS_WM_KILLS", 5) {
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			frames := []string{"frames:=transitions", "frames:=all"}[round%2]
			n, l := killOnce(t, frames, time.Duration(r.IntN(1_200_000))*time.Microsecond)
			acknowledged, lost = acknowledged+n, lost+l
		})
	}
	t.Logf("%d acknowledged transitions, %d lost", acknowledged, lost)
}

func killOnce(t *testing.T, frames string, after time.Duration) (acknowledged, lost int) {
	bag := filepath.Join(t.TempDir(), "bag")
	want := killed(t, bag, after, frames)
	report, err := bags.Repair(context.Background(), bag, cvbridge.Describe, nil)
	if err != nil {
		t.Fatalf("repair: %v", err)
	}
	lost = missing(t, bag, want)
	t.Logf("%d acknowledged, %d kept, %d unacknowledged lost", len(want), report.Kept, report.Lost)
	return len(want), lost
}

// killed kills a recorder some time after the first transition, and returns when each acknowledged
// one ended.
func killed(t *testing.T, bag string, after time.Duration,
	parameters ...string,
) map[uint32]msgs.Time {
	t.Helper()
	domain := process.Domain(t)
	// Files of 64 kB, about six transitions: some kills come while the recording goes on in the next
	// file.
	rec := launch(t, domain, "recorder",
		append([]string{"directory:=" + bag, "settle:=0.003", "motion_window:=0.001", "min_free:=0",
			"split_size:=65536"}, parameters...)...)
	p := join(t, domain)
	b := newBench(t, p)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); b.attempts(ctx) }()
	first := p.recorded()
	time.Sleep(after)
	rec.Stop(syscall.SIGKILL)
	cancel()
	<-done
	time.Sleep(50 * time.Millisecond) // what was sent before the kill arrives
	want := map[uint32]msgs.Time{first.Action: first.After}
	for len(p.transitions) > 0 {
		m := <-p.transitions
		want[m.Action] = m.After
	}
	return want
}

// missing counts the acknowledged transitions that a repaired recording lacks.
func missing(t *testing.T, bag string, want map[uint32]msgs.Time) (lost int) {
	t.Helper()
	if after := must(bags.Check(context.Background(), bag, cvbridge.Describe,
		nil)); after.Class != bags.Intact {
		t.Errorf("after the repair the bag is %s", after.Class)
	}
	reader := must(bags.Open(bag))
	defer reader.Close()
	kept := map[uint32]msgs.Time{}
	for tr, err := range reader.Transitions(context.Background()) {
		must(0, err)
		kept[tr.Action] = tr.After.Stamp
	}
	for action, stamp := range want {
		if kept[action] != stamp {
			lost++
			t.Errorf("transition %d was acknowledged and is not in the bag", action)
		}
	}
	if len(kept) > len(want)+1 { // the one that was being written
		t.Logf("%d kept of %d acknowledged: not every acknowledgement was heard", len(kept), len(want))
	}
	return lost
}
