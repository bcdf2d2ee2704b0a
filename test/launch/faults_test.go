package launch

import (
	"os"
	"syscall"
	"testing"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/ros"
)

// TestCoveredCamera covers the lens, and takes the camera away, in the middle of a
// plan: the planner stops with the reason, and goes on when it sees again.
func TestCoveredCamera(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		service string
		code    uint16
	}{
		"covered": {"/simrig/blackout", msgs.PlanToImageResultStartUnknown},
		"gone":    {"/simrig/dropout", msgs.PlanToImageResultNoImage},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, "skill_duration:=0.3")
			goal := b.send(b.draw(3), nil)
			b.set(c.service, true)
			result, status := b.result(goal)
			if status != ros.GoalAborted || result.ErrorCode != c.code {
				t.Errorf("%v, code %d %q; want code %d", status, result.ErrorCode, result.ErrorMsg, c.code)
			}
			b.set(c.service, false)
			want := b.draw(1)
			if result, status := b.result(b.send(want, nil)); status != ros.GoalSucceeded ||
				b.state() != want {
				t.Errorf("seeing again: %v, code %d %q", status, result.ErrorCode, result.ErrorMsg)
			}
		})
	}
}

// TestCancelStopsTheRig cancels in the middle of a slow skill.
func TestCancelStopsTheRig(t *testing.T) {
	t.Parallel()
	b := newBench(t, "skill_duration:=20.0")
	goal := b.send(b.draw(1), nil)
	must(0, goal.Cancel(b.patience()))
	begin := time.Now()
	result, status := b.result(goal)
	if status != ros.GoalCanceled || result.ErrorCode != msgs.PlanToImageResultCanceled {
		t.Errorf("%v, code %d %q; want canceled", status, result.ErrorCode, result.ErrorMsg)
	}
	t.Logf("canceled within %v", time.Since(begin).Round(time.Millisecond))
}

// TestBringUp starts and stops the nodes again and again, by ^C and SIGTERM, also
// in the middle of an execution; each start must find a working graph at once.
func TestBringUp(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	var slowest time.Duration
	n := times(t, "STRIPSWM_BRINGUPS", 5)
	for i := range n {
		signal := []os.Signal{os.Interrupt, syscall.SIGTERM}[i%2]
		rig := s.start("simrig", quick...)
		planner := s.start("planner", "bundle:="+bundleDir)
		s.state() // answers
		slowest = max(slowest, planner.Stop(signal), rig.Stop(signal))
		if t.Failed() {
			t.Fatalf("in round %d", i)
		}
	}
	t.Logf("%d rounds; the slowest stop took %v", n, slowest.Round(time.Millisecond))
}
