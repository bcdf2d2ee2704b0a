package launch

import (
	"fmt"
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
	"stripswm/nodes/sim/gazebo/classic"
	"stripswm/test/internal/process"
)

// gazeboDir is where make gazebo puts Gazebo 11.
const gazeboDir = "../../.deps/gazebo"

// arena is a rig whose world a Gazebo shows.
type arena struct {
	*system
	port   int
	server *process.Process
	goals  chan *msgs.Image // as published when a new one is asked for
}

// newArena brings Gazebo and rig up, or skips the test where there is no Gazebo.
func newArena(t *testing.T) *arena {
	t.Helper()
	if err := classic.Install(gazeboDir).Check(); err != nil {
		t.Skipf("not tested: skills, pictures and plans in Gazebo: %v", err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	a := &arena{system: newSystem(t), port: l.Addr().(*net.TCPAddr).Port, goals: make(chan *msgs.Image, 10)}
	a.serve()
	a.start("simrig", "world_backend:=gazebo", fmt.Sprintf("gazebo_master:=http://127.0.0.1:%d", a.port), "skill_duration:=0.02")
	if _, err := ros.Subscribe(a.node, "/simrig/goal_image", ros.Latched, func(m *msgs.Image, _ ros.Info) { a.goals <- m }); err != nil {
		t.Fatal(err)
	}
	a.awaitHealth("gazebo sends pictures")
	return a
}

// serve starts Gazebo, also again.
func (a *arena) serve() {
	a.t.Helper()
	install, err := filepath.Abs(gazeboDir)
	if err != nil {
		a.t.Fatal(err)
	}
	server := process.Start(a.t, a.command("stripswm", "gazebo", "--quiet", "--world", "blocksworld", "--port", strconv.Itoa(a.port), "--install", install))
	a.t.Cleanup(func() {
		if !server.Ended() { // killed before
			server.Stop(syscall.SIGTERM)
		}
	})
	server.Await("ready")
	a.server = server
}

// newGoal has the rig choose a state that Gazebo has shown, with Gazebo's picture of it.
func (a *arena) newGoal() (state int, picture *msgs.Image) {
	a.t.Helper()
	number, _, _ := strings.Cut(a.call("/simrig/new_goal"), " ")
	state, err := strconv.Atoi(number)
	if err != nil {
		a.t.Fatal(err)
	}
	select {
	case picture = <-a.goals:
	case <-a.patience().Done():
		a.t.Fatal("no picture of the goal")
	}
	return state, picture
}

// send has a planner bring the table to what a picture shows.
func (a *arena) send(b *bench, picture *msgs.Image, listen func(*msgs.PlanToImageFeedback)) (*msgs.PlanToImageResult, ros.GoalStatus) {
	a.t.Helper()
	goal, err := b.client.Send(a.patience(), &msgs.PlanToImageGoal{Execute: true, GoalImage: *picture}, listen)
	if err != nil {
		a.t.Fatal(err)
	}
	return b.result(goal)
}

// reach brings the table to so many goals, without anything in the way.
func (a *arena) reach(b *bench, goals int) {
	a.t.Helper()
	skills, begin := 0, time.Now()
	for range goals {
		want, picture := a.newGoal()
		result, status := a.send(b, picture, nil)
		if at := a.state(); status != ros.GoalSucceeded || at != want {
			a.t.Errorf("goal %d: %v, at %d, code %d %q", want, status, at, result.ErrorCode, result.ErrorMsg)
		}
		skills += int(result.Executed)
	}
	a.t.Logf("%d goals with %d skills in %v", goals, skills, time.Since(begin).Round(time.Second))
}

// inTheWay brings the table to a goal some skills away, and has something happen once the
// second of them runs.
func (a *arena) inTheWay(b *bench, happen func()) (want int, result *msgs.PlanToImageResult, status ros.GoalStatus) {
	a.t.Helper()
	for {
		var picture *msgs.Image
		var once sync.Once
		happened := make(chan struct{})
		const away = 4 // so that it happens well before the goal is reached
		if want, picture = a.newGoal(); sim.GroundTruth(b.world).Distances(sim.State(a.state()))[sim.State(want)] < away {
			continue
		}
		result, status = a.send(b, picture, func(f *msgs.PlanToImageFeedback) {
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
	}
}

// endure goes through goals: a number of them, one while an object is moved by hand, and one while
// Gazebo is killed and started again, after which all is well.
func (a *arena) endure(b *bench, goals int) {
	a.t.Helper()
	a.reach(b, goals)
	want, result, status := a.inTheWay(b, func() { a.call("/simrig/move_object") })
	if at := a.state(); status != ros.GoalSucceeded || at != want {
		a.t.Errorf("an object was moved by hand: goal %d: %v, at %d, code %d %q", want, status, at, result.ErrorCode, result.ErrorMsg)
	}
	want, result, status = a.inTheWay(b, func() {
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
	a.awaitHealth("gazebo sends pictures")
	a.reach(b, 2)
}

// TestGazeboGoals reaches goals with a bundle that was learned from Gazebo's pictures.
func TestGazeboGoals(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	for _, action := range []uint32{3, 13, 2, 14, 1, 15, 6, 16, 5, 17, 4, 18} { // so that some states have been seen
		a.do(action)
	}
	a.endure(a.plan("testdata/gazebo"), times(t, "STRIPSWM_GOALS", 5))
}

// TestGazeboFromNothingToGoals is the whole life of a table in Gazebo: skills are tried
// until 300 transitions are recorded from its camera, a bundle is learned of them, and goals
// are reached by its pictures. It takes minutes: make test-gazebo. What it learns is kept in
// STRIPSWM_KEEP, if that names a folder.
func TestGazeboFromNothingToGoals(t *testing.T) {
	const transitions = 300
	if os.Getenv("STRIPSWM_GAZEBO") == "" {
		t.Skip("make test-gazebo records and learns in Gazebo, too")
	}
	a := newArena(t)
	dir := t.TempDir()
	if kept := os.Getenv("STRIPSWM_KEEP"); kept != "" {
		dir = kept
	}
	recorder := a.start("recorder", "directory:="+dir+"/bag", "settle:=0.05", "motion_window:=0.05", "min_free:=1")
	begin := time.Now()
	a.explore(transitions)
	recorder.Stop(syscall.SIGTERM)
	took := time.Since(begin)
	t.Logf("%d transitions recorded in %v, %.0f a minute", transitions, took.Round(time.Second), transitions/took.Minutes())

	begin = time.Now()
	bundle := a.learn("bag:="+dir+"/bag", "out:="+dir+"/out", "threads:=1")
	t.Logf("learned in %v", time.Since(begin).Round(time.Second))
	a.endure(a.plan(bundle), times(t, "STRIPSWM_GOALS", 20))
}
