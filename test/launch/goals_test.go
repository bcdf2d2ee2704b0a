package launch

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
	"stripswm/test/internal/process"
)

type planClient = ros.ActionClient[*msgs.PlanToImageGoal, *msgs.PlanToImageFeedback,
	*msgs.PlanToImageResult]

// quick are simrig's parameters for skills that take little time.
var quick = []string{"skill_duration:=0.02", "settling:=0.0"}

// bench is a rig with a planner and images to plan to.
type bench struct {
	*system
	client *planClient
	random *rand.Rand
	shots  uint64
}

// newBench brings rig and planner up; rig are further parameters of simrig.
func newBench(t testing.TB, rig ...string) *bench {
	t.Helper()
	s := newSystem(t)
	s.start("simrig", append(append([]string{}, quick...), rig...)...)
	return s.plan(bundleDir)
}

// plan brings a planner up beside a rig of BlocksWorld.
func (s *system) plan(bundle string) *bench {
	s.t.Helper()
	b := &bench{system: s, random: rand.New(rand.NewPCG(5, 20))}
	// One refused image of 80 would end a test. The limit is that of the check when
	// testdata/bundle was learned.
	b.start("planner", "bundle:="+bundle, "max_distance:=1.5", "settle:=0.05", "max_age:=0.1",
		"frame_timeout:=3.0", "replans:=30", "retries:=4")
	b.client = must(ros.NewActionClient[*msgs.PlanToImageGoal, *msgs.PlanToImageFeedback,
		*msgs.PlanToImageResult](b.node, "plan_to_image"))
	return b
}

// draw is a random state at least so many skills from the present one.
func (b *bench) draw(atLeast int) int {
	near, at := sim.GroundTruth(b.world).Distances(sim.State(b.state())), 0
	for {
		if at = b.random.IntN(b.world.NumStates()); near[sim.State(at)] >= atLeast {
			return at
		}
	}
}

// send has the planner bring the table to a state. The listener may be nil.
func (b *bench) send(state int,
	listen func(*msgs.PlanToImageFeedback),
) *ros.ClientGoal[*msgs.PlanToImageResult] {
	b.t.Helper()
	b.shots++
	img := must(camera.New(128, 128).Render(b.world, sim.State(state), 1<<55|b.shots))
	goal := must(b.client.Send(b.patience(), &msgs.PlanToImageGoal{Execute: true,
		GoalImage: *msgs.NewImage(msgs.Header{}, img)}, listen))
	return goal
}

// reach has the planner bring the table to what an image shows. The listener may be nil.
func (b *bench) reach(img *msgs.Image,
	listen func(*msgs.PlanToImageFeedback),
) (*msgs.PlanToImageResult, ros.GoalStatus) {
	b.t.Helper()
	goal := must(b.client.Send(b.patience(), &msgs.PlanToImageGoal{Execute: true, GoalImage: *img},
		listen))
	return b.result(goal)
}

// reachNew brings the rig to so many goals that it draws, without anything in the way.
func (b *bench) reachNew(goals int) {
	b.t.Helper()
	skills, reached, begin := 0, 0, time.Now()
	for range goals {
		want, img := b.newGoal()
		result, status := b.reach(img, nil)
		if at := b.state(); status != ros.GoalSucceeded || at != want {
			b.t.Errorf("goal %d: %v, at %d, code %d %q", want, status, at, result.ErrorCode, result.ErrorMsg)
		} else {
			reached++
		}
		skills += int(result.Executed)
	}
	b.t.Logf("%d of %d goals with %d skills in %v; attempts led to %d states", reached, goals, skills,
		time.Since(begin).Round(time.Second), len(b.tried))
}

func (b *bench) result(
	goal *ros.ClientGoal[*msgs.PlanToImageResult],
) (*msgs.PlanToImageResult, ros.GoalStatus) {
	b.t.Helper()
	result, status, err := goal.Result(b.patience())
	if err != nil {
		b.t.Fatal(err)
	}
	return result, status
}

// TestGoalsInClosedLoop brings the table to random goals, with each kind of fault.
func TestGoalsInClosedLoop(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rig      []string
		hand     bool // moves an object in each execution
		distance int  // of the goals, at least
	}{
		"no faults":                 {nil, false, 1},
		"moved by hand":             {nil, true, 3},
		"skills that fail":          {[]string{"fail_probability:=0.25"}, false, 1},
		"skills that claim falsely": {[]string{"slip_probability:=0.25"}, false, 1},
		"late status":               {[]string{"status_delay:=0.3"}, false, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, c.rig...)
			goals, reached, surprises := times(t, "STRIPSWM_GOALS", 5), 0, 0
			for range goals {
				want := b.draw(c.distance)
				var first sync.Once
				var differing atomic.Int64
				moved := make(chan struct{})
				goal := b.send(want, func(f *msgs.PlanToImageFeedback) {
					if len(f.Differing) > 0 {
						differing.Add(1)
					}
					// In the middle of the plan, while the second skill runs.
					if c.hand && f.Step == 1 {
						first.Do(func() { go func() { defer close(moved); b.call("/simrig/move_object") }() })
					}
				})
				result, status := b.result(goal)
				at := b.state()
				if status == ros.GoalSucceeded && at == want {
					reached++
				} else if status == ros.GoalSucceeded {
					t.Errorf("claims to have reached state %d, but is at %d", want, at)
				} else {
					t.Errorf("goal %d: %v, code %d %q", want, status, result.ErrorCode, result.ErrorMsg)
				}
				surprises += int(differing.Load())
				first.Do(func() { close(moved) })
				<-moved
			}
			t.Logf("%d of %d goals reached; %d skills ended otherwise than predicted", reached, goals,
				surprises)
		})
	}
}

// TestManyGoalsAtOnce has 120 goals arrive at once: one is worked on and 100 wait, and the others
// are told why not.
func TestManyGoalsAtOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, img := b.newGoal()
	type answer struct {
		status ros.GoalStatus
		code   uint16
		says   string
	}
	answers := make(chan answer, 120)
	for range cap(answers) {
		go func() {
			goal, err := b.client.Send(b.patience(), &msgs.PlanToImageGoal{GoalImage: *img}, nil)
			if err != nil {
				answers <- answer{says: err.Error()}
				return
			}
			result, status, err := goal.Result(b.patience())
			if err != nil {
				answers <- answer{says: err.Error()}
				return
			}
			answers <- answer{status, result.ErrorCode, result.ErrorMsg}
		}()
	}
	planned, busy := 0, 0
	for range cap(answers) {
		switch a := <-answers; {
		case a.status == ros.GoalSucceeded:
			planned++
		case a.status == ros.GoalAborted && a.code == msgs.PlanToImageResultBusy:
			busy++
		default:
			t.Errorf("%v, code %d %q", a.status, a.code, a.says)
		}
	}
	if t.Logf("%d planned, %d refused as the planner was busy", planned, busy); planned < 100 {
		t.Errorf("%d goals were planned to, want the first 100 at least", planned)
	}
}

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
