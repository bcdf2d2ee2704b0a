package node_test

import (
	"context"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"stripswm/models/strips"
	"stripswm/msgs"
	"stripswm/nodes/planner/node"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/rostest"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
)

// bundleDir is a bundle learned from BlocksWorld, 128x128 pixels.
const bundleDir = "../../../test/launch/testdata/bundle"

// robot is a camera and a skill executor in the planner's process. It panics where
// something is wrong with the test itself.
type robot struct {
	t      testing.TB
	world  *sim.World
	camera camera.Camera
	node   *ros.Node
	images *ros.Publisher[*msgs.Image]

	mu     sync.Mutex
	state  sim.State
	shots  uint64
	skills int
	fault  func(r *robot, skill int) (outcome uint8, faulty bool) // called with mu held
	block  chan struct{}                                          // skills wait for it, if not nil
	dark   bool

	stamp func(time.Time) msgs.Time       // of an image taken then; msgs.TimeFrom if nil
	under func(shot uint64) time.Duration // that an image is under way; nil is none
}

// newRobot makes a robot at the world's initial state, whose camera shows a new
// image every 40 ms, and a planner beside it.
func newRobot(t testing.TB, params ...string) (r *robot, p *node.Planner) {
	t.Helper()
	world := must(sim.New("blocksworld"))
	bus := rostest.NewBus()
	r = &robot{t: t, world: world, camera: camera.New(128, 128), state: world.Initial(),
		node: rostest.Node(t, bus.Join(), "robot", io.Discard)}
	r.images = must(ros.Advertise[*msgs.Image](r.node, "camera/image_raw", ros.SensorData))
	must(0, ros.ServeAction(r.node, "execute_skill", ros.Action[*msgs.ExecuteSkillGoal,
		*msgs.ExecuteSkillFeedback, *msgs.ExecuteSkillResult]{Execute: r.execute}))
	p = must(node.New(rostest.Node(t, bus.Join(), "planner", io.Discard,
		append([]string{"bundle:=" + bundleDir, "settle:=0.0", "max_age:=0.0", "frame_timeout:=10.0",
			"max_images:=2"}, params...)...)))
	t.Cleanup(func() { p.Close(context.Background()) })
	return r, p
}

// activeRobot is one whose camera films and whose planner is active.
func activeRobot(t testing.TB, params ...string) *robot {
	r, p := newRobot(t, params...)
	r.film()
	must(0, p.Start(within(t)))
	return r
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// image renders a state with nuisance of its own.
func (r *robot) image(s sim.State) *msgs.Image {
	r.shots++
	img := must(r.camera.Render(r.world, s, 1<<50|r.shots))
	return msgs.NewImage(msgs.Header{Stamp: msgs.TimeFrom(time.Now()), FrameID: "camera"}, img)
}

// film publishes images until the test ends.
func (r *robot) film() {
	type shot struct {
		image *msgs.Image
		due   time.Time
	}
	sent := make(chan shot, 100)
	r.node.Every(r.node.Context(), 40*time.Millisecond, func(time.Time) {
		r.mu.Lock()
		defer r.mu.Unlock()
		taken, stamp := time.Now(), msgs.TimeFrom
		if r.stamp != nil {
			stamp = r.stamp
		}
		m := r.image(r.state)
		if r.dark {
			clear(m.Data)
		}
		m.Header.Stamp = stamp(taken)
		if r.under != nil {
			taken = taken.Add(r.under(r.shots))
		}
		sent <- shot{m, taken}
	})
	go func() {
		for {
			select {
			case <-r.node.Context().Done():
				return
			case s := <-sent:
				time.Sleep(time.Until(s.due))
				if err := r.images.Publish(s.image); err != nil && r.node.Context().Err() == nil {
					panic(err)
				}
			}
		}
	}()
}

func (r *robot) execute(ctx context.Context, g *ros.ServerGoal[*msgs.ExecuteSkillGoal,
	*msgs.ExecuteSkillFeedback],
) (*msgs.ExecuteSkillResult, error) {
	if r.block != nil {
		select {
		case <-r.block:
		case <-ctx.Done():
			return &msgs.ExecuteSkillResult{Outcome: msgs.ExecuteSkillResultFailed}, ros.ErrCanceled
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.skills++
	result := &msgs.ExecuteSkillResult{Outcome: msgs.ExecuteSkillResultSucceeded,
		Ended: msgs.TimeFrom(time.Now())}
	if r.fault != nil {
		if outcome, faulty := r.fault(r, r.skills); faulty {
			result.Outcome, result.Ended = outcome, msgs.TimeFrom(time.Now())
			return result, nil
		}
	}
	next, ok := r.world.Apply(r.state, strips.ActionID(g.Goal.Action))
	if !ok {
		result.Outcome = msgs.ExecuteSkillResultRefused
		return result, fmt.Errorf("not applicable")
	}
	r.state, result.Ended = next, msgs.TimeFrom(time.Now())
	return result, nil
}

func (r *robot) at() sim.State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}

// distant is a state a number of skills from the present one.
func (r *robot) distant(skills int) sim.State {
	far := sim.GroundTruth(r.world).AtDistance(r.at(), skills)
	if len(far) == 0 {
		panic(fmt.Sprintf("no state is %d skills away", skills))
	}
	return far[0]
}

// goal is a PlanToImage goal with an image of the state.
func (r *robot) goal(s sim.State) *msgs.PlanToImageGoal {
	r.mu.Lock()
	defer r.mu.Unlock()
	return &msgs.PlanToImageGoal{GoalImage: *r.image(s), Execute: true}
}
