package node_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/ros"
)

// TestClocksThatDiffer has a camera with any clock, whose images are up to 90 ms under way: a plan
// of n skills runs as n skills.
func TestClocksThatDiffer(t *testing.T) {
	off := func(by time.Duration) func(time.Time) msgs.Time {
		return func(t time.Time) msgs.Time { return msgs.TimeFrom(t.Add(by)) }
	}
	drifting := func(by float64) func(time.Time) msgs.Time {
		begin := time.Now()
		return func(t time.Time) msgs.Time {
			return msgs.TimeFrom(t.Add(time.Duration(by * float64(t.Sub(begin)))))
		}
	}
	const ms = time.Millisecond
	for name, c := range map[string]struct {
		stamp func(time.Time) msgs.Time
		step  time.Duration // of the clock during the second skill
		warns string
	}{
		"true":           {msgs.TimeFrom, 0, ""},
		"0.4 s ahead":    {off(400 * ms), 0, "s ahead"},
		"0.4 s behind":   {off(-400 * ms), 0, "s later"},
		"an hour ahead":  {off(time.Hour), 0, "ahead"},
		"an hour behind": {off(-time.Hour), 0, "behind"},
		"1 % fast":       {drifting(0.01), 0, ""},
		"1 % slow":       {drifting(-0.01), 0, ""},
		"set on":         {msgs.TimeFrom, 500 * ms, "ahead"},
		"set back":       {msgs.TimeFrom, -500 * ms, ""},
		"no stamps": {func(time.Time) msgs.Time { return msgs.Time{} }, 0,
			"images have no stamp"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// long enough for images on a busy machine, whose time under way no stamp tells
			r, p := newRobot(t, "settle:=0.3")
			var step atomic.Int64
			r.stamp = func(t time.Time) msgs.Time { return c.stamp(t.Add(time.Duration(step.Load()))) }
			r.under = func(shot uint64) time.Duration { return time.Duration(shot%4) * 30 * ms }
			r.fault = func(_ *robot, skill int) (uint8, bool) {
				if skill == 2 {
					step.Store(int64(c.step))
				}
				return 0, false
			}
			warned := make(chan string, 100)
			must(ros.Subscribe(r.node, "/diagnostics", ros.Default,
				func(m *msgs.DiagnosticArray, _ ros.Info) { warned <- m.Status[0].Message }))
			r.film()
			must(0, p.Start(within(t)))
			for _, skills := range []int{3, 3} {
				before, want := r.skills, r.distant(skills)
				if result, status := r.do(r.goal(want), nil); status != ros.GoalSucceeded || r.at() != want {
					t.Fatalf("%v, code %d %q", status, result.ErrorCode, result.ErrorMsg)
				}
				if n := r.skills - before; n != skills {
					t.Errorf("a plan of %d skills ran as %d", skills, n)
				}
			}
			for c.warns != "" {
				select {
				case said := <-warned:
					if strings.Contains(said, c.warns) {
						return
					}
				case <-within(t).Done():
					t.Fatalf("/diagnostics does not say %q", c.warns)
				}
			}
		})
	}
}
