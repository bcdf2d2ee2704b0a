package launch

import (
	"context"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/dds"
	"stripswm/nodes/ros/rostest"
	"stripswm/nodes/sim"
	"stripswm/test/internal/process"
)

const bundleDir = "testdata/bundle"

func TestMain(m *testing.M) {
	if socket := os.Getenv(robotVariable); socket != "" {
		os.Exit(command(socket))
	}
	process.Main(m, "simrig", "planner", "recorder", "learner", "explorer", "executor", "stripswm")
}

// system is a set of processes in one domain, and a node beside them.
type system struct {
	t      testing.TB
	domain int
	node   *ros.Node
	world  *sim.World         // that the rig simulates
	goals  chan *msgs.Image   // as the rig publishes one when it is asked to
	tried  map[sim.State]bool // states that attempts led to
}

func newSystem(t testing.TB) *system {
	t.Helper()
	s := &system{t: t, domain: process.Domain(t), world: must(sim.New("blocksworld")),
		goals: make(chan *msgs.Image, 10), tried: map[sim.State]bool{}}
	transport := must(dds.Open(dds.Config{Domain: s.domain, Range: dds.Localhost}, nil))
	t.Cleanup(func() { transport.Close() })
	s.node = rostest.Node(t, transport, "test", io.Discard)
	must(ros.Subscribe(s.node, "/simrig/goal_image", ros.Latched,
		func(m *msgs.Image, _ ros.Info) { s.goals <- m }))
	return s
}

// start starts a node and waits until it is ready. It is stopped with the test.
func (s *system) start(name string, params ...string) *process.Process {
	s.t.Helper()
	return s.startWith(name, []string{"--ros-args"}, params...)
}

// startIn is start with more in the environment.
func (s *system) startIn(env []string, name string, params ...string) *process.Process {
	s.t.Helper()
	cmd := s.command(name, withParams([]string{"--ros-args"}, params)...)
	cmd.Env = append(cmd.Env, env...)
	return s.bring(cmd)
}

// startWith is start with further arguments before the parameters.
func (s *system) startWith(name string, arguments []string, params ...string) *process.Process {
	s.t.Helper()
	return s.bring(s.command(name, withParams(arguments, params)...))
}

func withParams(arguments, params []string) []string {
	for _, p := range params {
		arguments = append(arguments, "-p", p)
	}
	return arguments
}

// bring starts a program that prints "ready", and waits for that. It is stopped with
// the test, and must end in order, whenever it does.
func (s *system) bring(cmd *exec.Cmd) *process.Process {
	s.t.Helper()
	p := process.Start(s.t, cmd)
	s.t.Cleanup(func() { p.Stop(syscall.SIGTERM) })
	p.Await("ready")
	return p
}

// command is a program in the system's domain.
func (s *system) command(name string, arguments ...string) *exec.Cmd {
	cmd := exec.Command(process.Program(name), arguments...)
	cmd.Env = process.Env(s.domain)
	return cmd
}

// call asks a std_srvs/Trigger service and returns its message.
func (s *system) call(service string) string {
	s.t.Helper()
	res := rostest.Call[*msgs.TriggerResponse](s.node, service, &msgs.TriggerRequest{})
	if !res.Success {
		s.t.Fatalf("service %s: %v", service, res)
	}
	return res.Message
}

// set asks a std_srvs/SetBool service.
func (s *system) set(service string, on bool) {
	s.t.Helper()
	if res := rostest.Call[*msgs.SetBoolResponse](s.node, service,
		&msgs.SetBoolRequest{Data: on}); !res.Success {
		s.t.Fatalf("service %s: %v", service, res)
	}
}

// patience is a context that ends long after what is waited for should have happened.
func (s *system) patience() context.Context { return process.Soon(s.t) }

// state is the true state of the rig.
func (s *system) state() int {
	s.t.Helper()
	text := s.call("/simrig/state")
	number, _, _ := strings.Cut(text, " ")
	state, err := strconv.Atoi(number)
	if err != nil {
		s.t.Fatalf("/simrig/state says %q", text)
	}
	return state
}

// newGoal has the rig draw a state, with its camera's image of it. Of a whole world it is one that
// was not recorded, where such states are left.
func (s *system) newGoal() (state int, img *msgs.Image) {
	s.t.Helper()
	all := !sim.IsWhole(s.world) || len(s.tried) == len(sim.GroundTruth(s.world).States())
	for range s.world.NumStates() {
		number, _, _ := strings.Cut(s.call("/simrig/new_goal"), " ")
		state := must(strconv.Atoi(number))
		if img := process.Receive(s.t, "an image of the goal", s.goals); all ||
			!s.tried[sim.State(state)] {
			return state, img
		}
	}
	s.t.Fatal("every goal that was drawn had been recorded")
	return 0, nil
}

// times is how often something is tried: a number from the environment, or the default.
func times(t testing.TB, variable string, usual int) int {
	text := os.Getenv(variable)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s is %q: want a number from 1", variable, text)
	}
	return n
}

// must is for what fails in no test.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
