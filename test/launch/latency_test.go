package launch

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
	"stripswm/test/internal/process"
)

// TestGoalToPlan publishes goal images and waits for the plans, as a user of the
// topics would. The times are from before the goal is published until the plan
// has arrived: transport both ways included.
func TestGoalToPlan(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	plans := make(chan *msgs.ActionSequence, 10)
	must(ros.Subscribe(b.node, "action_sequence", ros.Latched, func(m *msgs.ActionSequence,
		_ ros.Info) {
		plans <- m
	}))
	goals := must(ros.Advertise[*msgs.Image](b.node, "goal_image", ros.Default))
	must(0, goals.WaitForSubscribers(b.patience(), 1))
	var took []time.Duration
	for i := range times(t, "STRIPSWM_GOALS", 5) * 10 {
		img := must(camera.New(128, 128).Render(b.world, sim.State(b.random.IntN(b.world.NumStates())),
			1<<56|uint64(i)))
		m := msgs.NewImage(msgs.Header{}, img)
		begin := time.Now()
		must(0, goals.Publish(m))
		process.Receive(t, fmt.Sprintf("a plan to goal image %d", i), plans)
		took = append(took, time.Since(begin))
	}
	slices.Sort(took)
	at := func(q float64) time.Duration {
		return took[int(q*float64(len(took)-1))].Round(100 * time.Microsecond)
	}
	t.Logf("%d goals: p50 %v, p99 %v, slowest %v", len(took), at(0.5), at(0.99), at(1))
}
