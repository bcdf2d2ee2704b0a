package launch

import (
	"cmp"
	"fmt"
	"math"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
	"stripswm/nodes/sim/gazebo"
	"stripswm/test/internal/process"
)

// gazeboDir is where make gazebo puts Gazebo 11.
const gazeboDir = "../../.deps/gazebo"

// arena is a rig whose world a Gazebo shows.
type arena struct {
	*system
	port   int
	server *process.Process
}

// newArena brings Gazebo and rig up with a world, or skips the test where there is no Gazebo.
func newArena(t *testing.T, world string, params ...string) *arena {
	t.Helper()
	if err := gazebo.Install(gazeboDir).Check(); err != nil {
		t.Skipf("not tested: skills, images and plans in Gazebo: %v", err)
	}
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	l.Close()
	a := &arena{system: newSystem(t), port: l.Addr().(*net.TCPAddr).Port}
	a.world = must(sim.New(world))
	a.serve()
	a.start("simrig", append(params, "world:="+world, "world_backend:=gazebo",
		fmt.Sprintf("gazebo_master:=http://127.0.0.1:%d", a.port), "skill_duration:=0.02")...)
	a.awaitHealth("gazebo sends images")
	return a
}

// serve starts Gazebo, also again.
func (a *arena) serve() {
	a.t.Helper()
	install := must(filepath.Abs(gazeboDir))
	server := process.Start(a.t, a.command("stripswm", "gazebo", "--quiet", "--world",
		sim.Table(a.world).Name(), "--port", strconv.Itoa(a.port), "--install", install))
	a.t.Cleanup(func() {
		if !server.Ended() { // killed before
			server.Stop(syscall.SIGTERM)
		}
	})
	server.Await("ready")
	a.server = server
}

// obstructed brings the table to a goal some skills away, and has something happen once the
// second of them runs.
func (a *arena) obstructed(b *bench,
	happen func(),
) (want int, result *msgs.PlanToImageResult, status ros.GoalStatus) {
	a.t.Helper()
	for {
		var img *msgs.Image
		var once sync.Once
		happened := make(chan struct{})
		const away = 4 // so that it happens well before the goal is reached
		if want, img = a.newGoal(); sim.GroundTruth(b.world).Distances(sim.State(a.state()))[sim.State(
			want)] < away {
			continue
		}
		result, status = b.reach(img, func(f *msgs.PlanToImageFeedback) {
			if f.Step == 1 {
				once.Do(func() { go func() { defer close(happened); happen() }() })
			}
		})
		began := true
		once.Do(func() { began = false })
		if began {
			<-happened
			return want, result, status
		}
		if status != ros.GoalSucceeded {
			a.t.Fatalf("goal %d: nothing was begun: %v, code %d %q", want, status, result.ErrorCode,
				result.ErrorMsg)
		}
	}
}

// endure goes through goals: a number of them, one while an object is moved by hand, and one while
// Gazebo is killed and started again, after which all is well.
func (a *arena) endure(b *bench, goals int) {
	a.t.Helper()
	b.reachNew(goals)
	want, result, status := a.obstructed(b, func() { a.call("/simrig/move_object") })
	if at := a.state(); status != ros.GoalSucceeded || at != want {
		a.t.Errorf("an object was moved by hand: goal %d: %v, at %d, code %d %q", want, status, at,
			result.ErrorCode, result.ErrorMsg)
	}
	want, result, status = a.obstructed(b, func() {
		a.server.Signal(syscall.SIGKILL)
		a.server.Wait()
		a.serve()
	})
	a.t.Logf("Gazebo killed in mid-goal: %v, code %d %q", status, result.ErrorCode, result.ErrorMsg)
	if at := a.state(); status == ros.GoalSucceeded && at != want {
		a.t.Errorf("claims to have reached state %d, but is at %d", want, at)
	} else if status != ros.GoalSucceeded && result.ErrorMsg == "" {
		a.t.Error("it failed and does not say why")
	}
	a.awaitHealth("gazebo sends images")
	b.reachNew(2)
}

// usage is what Gazebo's server has used: seconds of the processor, and the most memory, in
// megabytes.
func (a *arena) usage() (cpu, memory float64) {
	a.t.Helper()
	for _, file := range must(filepath.Glob("/proc/[0-9]*/stat")) {
		stat, _ := os.ReadFile(file)
		f := strings.Fields(string(stat))
		if len(f) < 15 || f[1] != "(gzserver)" || f[5] != strconv.Itoa(a.server.PID()) { // its session
			continue
		}
		status := string(must(os.ReadFile(filepath.Join(filepath.Dir(file), "status"))))
		_, most, _ := strings.Cut(status, "VmHWM:")
		const ticks = 100 // a second, in Linux's interface
		return (must(strconv.ParseFloat(f[13], 64)) + must(strconv.ParseFloat(f[14], 64))) / ticks,
			must(strconv.ParseFloat(strings.Fields(most)[0], 64)) / 1000
	}
	a.t.Fatal("no gzserver runs")
	return 0, 0
}

// idle measures Gazebo while nothing but images is asked of it.
func (a *arena) idle(long time.Duration) {
	a.t.Helper()
	began, before := a.awaitHealth("gazebo sends images")
	cpu, _ := a.usage()
	time.Sleep(long)
	cpuAfter, memory := a.usage()
	ended, after := a.awaitHealth("gazebo sends images")
	took := ended.Sub(began).Seconds()
	rate := func(key string) float64 { return (after[key] - before[key]) / took }
	a.t.Logf("Gazebo: %.1f images a second, real-time factor %.2f, %.2f of a processor, %.0f MB",
		rate("images published"), rate("gazebo's time"), (cpuAfter-cpu)/took, memory)
}

// TestGazeboGoals reaches goals with a bundle that was learned from Gazebo's images.
func TestGazeboGoals(t *testing.T) {
	t.Parallel()
	a := newArena(t, "blocksworld")
	a.endure(a.plan("testdata/gazebo"), times(t, "STRIPSWM_GOALS", 5))
}

// TestGazeboImages holds Gazebo's images against the embedded camera's of the same states. What is
// lit, textured or placed otherwise is seen by the share of pixels that are far off, an edge beside
// by the mean.
func TestGazeboImages(t *testing.T) {
	t.Parallel()
	a := newArena(t, cmp.Or(os.Getenv("STRIPSWM_WORLD"), "blocksworld"), "nuisance:=0.0")
	images := make(chan *msgs.Image)
	must(ros.Subscribe(a.node, "/camera/image_raw", ros.SensorData, func(m *msgs.Image, _ ros.Info) {
		select {
		case images <- m:
		default: // nobody waits
		}
	}))
	states := map[int]bool{}
	sum, far, full, count := 0.0, 0, 0, 0
	for step := range must(sim.RunPolicy(a.world, sim.Balanced, 2, 30, sim.Faults{})) {
		a.do(uint32(step.Action))
		state := a.state()
		if states[state] {
			continue
		}
		states[state] = true
		process.Receive(t, "an image, which may be one from before", images)
		img := process.Receive(t, "an image", images)
		own := camera.New(int(img.Width), int(img.Height))
		own.Strength = 0
		want := must(own.Render(a.world, sim.State(state), 1))
		for i, v := range msgs.NewImage(msgs.Header{}, want).Data {
			d := math.Abs(float64(v) - float64(img.Data[i]))
			sum, count = sum+d, count+1
			if d > 64 {
				far++
			}
			if img.Data[i] == 255 && v < 255 {
				full++
			}
		}
	}
	mean, share, clipped := sum/float64(count), float64(far)/float64(count), float64(full)/float64(
		count)
	t.Logf(
		"%s, %d states: Gazebo's images differ from the embedded camera's by %.1f grey levels in the "+
			"mean; by more than 64 in %.2f %% of the values; %.2f %% are clipped that are not there",
		sim.Table(a.world).Name(), len(states), mean, 100*share, 100*clipped)
	if mean > 15 || share > 0.01 || clipped > 0.01 {
		t.Error("they are not alike")
	}
}

// TestGazeboFromNothingToGoals is the whole life of a table in Gazebo: skills are tried
// until some transitions are recorded from its camera, a bundle is learned of them, and goals
// are reached by its images. It takes minutes: make test-gazebo. What is recorded and learned
// is kept in STRIPSWM_KEEP, if that names a folder. With STRIPSWM_STATES=all the skills leave the
// paper's data set, and no goal was recorded.
func TestGazeboFromNothingToGoals(t *testing.T) {
	if os.Getenv("STRIPSWM_GAZEBO") == "" {
		t.Skip("make test-gazebo records and learns in Gazebo, too")
	}
	transitions := times(t, "STRIPSWM_TRANSITIONS", 300)
	states := cmp.Or(os.Getenv("STRIPSWM_STATES"), "explored")
	a := newArena(t, cmp.Or(os.Getenv("STRIPSWM_WORLD"), "blocksworld"), "states:="+states)
	learning := []string{"threads:=1"}
	if states == "all" {
		a.world = sim.Whole(a.world)
		learning = append(learning, "method:=auto")
	}
	a.idle(10 * time.Second)
	dir := t.TempDir()
	if kept := os.Getenv("STRIPSWM_KEEP"); kept != "" {
		dir = kept
	}
	recorder := a.start("recorder", "directory:="+dir+"/bag", "settle:=0.05", "motion_window:=0.05",
		"min_free:=1")
	begin := time.Now()
	attempts := a.explore(transitions, nil)
	recorder.Stop(syscall.SIGTERM)
	took := time.Since(begin)
	t.Logf("%d transitions, %d attempts, %d states recorded in %v, %.0f a minute", transitions,
		attempts, len(a.tried), took.Round(time.Second), float64(transitions)/took.Minutes())

	begin = time.Now()
	bundle := a.learn(append(learning, "bag:="+dir+"/bag", "out:="+dir+"/out")...)
	t.Logf("learned in %v", time.Since(begin).Round(time.Second))
	a.endure(a.plan(bundle), times(t, "STRIPSWM_GOALS", 20))
}

// awaitHealth waits until what the rig's diagnostics say begins so, and returns them.
func (s *system) awaitHealth(want string) (at time.Time, values map[string]float64) {
	s.t.Helper()
	said := make(chan *msgs.DiagnosticArray, 100)
	sub := must(ros.Subscribe(s.node, "/diagnostics", ros.Default, func(m *msgs.DiagnosticArray,
		_ ros.Info) {
		if m.Status[0].Name == "/simrig: camera" {
			said <- m
		}
	}))
	defer sub.Close()
	for soon := s.patience(); ; {
		select {
		case m := <-said:
			if !strings.HasPrefix(m.Status[0].Message, want) {
				continue
			}
			values = map[string]float64{}
			for _, v := range m.Status[0].Values {
				values[v.Key] = must(strconv.ParseFloat(v.Value, 64))
			}
			return time.Unix(0, m.Header.Stamp.Nanoseconds()), values
		case <-soon.Done():
			s.t.Fatalf("the rig never says %q", want)
		}
	}
}

// do has the rig execute a skill.
func (s *system) do(action uint32) *msgs.ExecuteSkillResult {
	s.t.Helper()
	skills := must(ros.NewActionClient[*msgs.ExecuteSkillGoal, *msgs.ExecuteSkillFeedback,
		*msgs.ExecuteSkillResult](s.node, "execute_skill"))
	defer skills.Close()
	goal := must(skills.Send(s.patience(), &msgs.ExecuteSkillGoal{Action: action}, nil))
	result, _, err := goal.Result(s.patience())
	if err != nil {
		s.t.Fatal(err)
	}
	return result
}
