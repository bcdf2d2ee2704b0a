package ros2

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"stripswm/test/internal/process"
)

const (
	fastDDS    = "rmw_fastrtps_cpp"
	cycloneDDS = "rmw_cyclonedds_cpp"
)

// A graph is a ROS domain of one test. The nodes of this project have the transport, and all others
// the rmw.
type graph struct {
	t              *testing.T
	domain         int
	transport, rmw string
}

func newGraph(t *testing.T, transport, rmw string) graph {
	t.Helper()
	needs(t, rmw)
	g := graph{t, process.Domain(t), transport, rmw}
	if has("ros2cli") {
		t.Cleanup(func() { g.ros2("daemon", "stop").Run() }) // commands have started it
	}
	return g
}

// ways are the transports of this project's nodes beside the rmws that they can call services of.
var ways = []struct{ transport, rmw string }{
	{"rmw", cycloneDDS}, {"rmw", fastDDS}, {"dds", cycloneDDS}, {"dds", fastDDS},
}

// each runs a test in a graph of each kind that the ROS 2 has, all at once: its command line mostly
// waits.
func each(t *testing.T, test func(graph)) {
	for _, way := range ways {
		if has(way.rmw) {
			t.Run(way.transport+" beside "+way.rmw, func(t *testing.T) {
				t.Parallel()
				test(newGraph(t, way.transport, way.rmw))
			})
		}
	}
}

// command is a command where ROS 2 is sourced, with less than 4 GB: a node that reads the request
// of another rmw may ask for more.
func (g graph) command(arguments ...string) *exec.Cmd {
	cmd := sourced(arguments...)
	cmd.Args[2] = "ulimit -v 4194304; " + cmd.Args[2]
	cmd.Env = append(cmd.Env, "ROS_DOMAIN_ID="+strconv.Itoa(g.domain), "ROS_LOCALHOST_ONLY=1",
		"RMW_IMPLEMENTATION="+g.rmw, "PYTHONUNBUFFERED=1")
	if g.rmw == fastDDS {
		cmd.Env = append(cmd.Env, g.loopback()...)
	}
	return cmd
}

// loopback has Fast DDS use UDP on 127.0.0.1 only. With ROS_LOCALHOST_ONLY it would use shared
// memory, too: whoever sends to a port of it whose listener does not answer within a second
// (healthy_check_timeout_ms) replaces the port. On a busy machine two nodes may then never hear
// each other.
func (g graph) loopback() []string {
	g.t.Helper()
	profile := must(filepath.Abs("testdata/loopback.xml"))
	return []string{"ROS_LOCALHOST_ONLY=0", "FASTRTPS_DEFAULT_PROFILES_FILE=" + profile}
}

// node is a command with less than 16 GB, for nodes of this project: Go reserves memory.
func (g graph) node(arguments ...string) *exec.Cmd {
	cmd := g.command(arguments...)
	cmd.Args[2] = strings.Replace(cmd.Args[2], "4194304", "16777216", 1)
	if g.transport == "dds" {
		cmd.Env = append(cmd.Env, "ROS_LOCALHOST_ONLY=1") // whatever profile Fast DDS has
	}
	return cmd
}

// program is a node of the installed package, of the graph's transport.
func (g graph) program(name string, arguments ...string) *exec.Cmd {
	g.t.Helper()
	must(0, installed())
	end := map[string]string{"rmw": "", "dds": "_dds"}[g.transport]
	path := filepath.Join(work, "install", "strips_wm", "lib", "strips_wm", name+end)
	return g.node(append([]string{path}, arguments...)...)
}

// start starts a node, and waits until it is ready.
func (g graph) start(name string, arguments ...string) *process.Process {
	g.t.Helper()
	p := process.Start(g.t, g.program(name, append([]string{"--ros-args"}, arguments...)...))
	p.Await("ready")
	return p
}

// end sends ^C to nodes, which end with 0.
func (g graph) end(nodes ...*process.Process) {
	g.t.Helper()
	for _, p := range nodes {
		p.Signal(os.Interrupt)
		if code := p.Wait(); code != 0 || strings.Contains(p.Err.String(), "Traceback") {
			g.t.Errorf("^C: exit code %d, %s", code, &p.Err)
		}
	}
}

// ros2 is a command of ROS 2's command line, or of what answers in its place, which has two
// minutes.
func (g graph) ros2(arguments ...string) *exec.Cmd {
	program := []string{"timeout", "120", "ros2"}
	if !has("ros2cli") {
		program = []string{"timeout", "120", "python3", "testdata/ros2.py"}
	}
	return g.command(append(program, arguments...)...)
}

// succeeds runs a command that must end with 0, and returns what it prints.
func (g graph) succeeds(cmd *exec.Cmd) string {
	g.t.Helper()
	out := process.Run(g.t, cmd)
	if out.Code != 0 {
		g.t.Fatalf("%q ends with %d: %s%s", cmd.Args[4:], out.Code, out.Stdout, out.Stderr)
	}
	return out.Stdout
}

// says runs a command of ROS 2's command line that must end with 0, and returns what it prints.
func (g graph) says(arguments ...string) string {
	g.t.Helper()
	out := process.Run(g.t, g.ros2(arguments...))
	if out.Code != 0 {
		g.t.Errorf("ros2 %s ends with %d: %s%s", strings.Join(arguments, " "), out.Code, out.Stdout,
			out.Stderr)
	}
	return out.Stdout
}

// await asks the command line again until it says what is wanted.
func (g graph) await(want string, arguments ...string) {
	g.t.Helper()
	var out process.Result
	for end := time.Now().Add(process.Patience / 4); time.Now().Before(end); {
		if out = process.Run(g.t, g.ros2(arguments...)); strings.Contains(out.Stdout, want) {
			return
		}
	}
	g.t.Fatalf("ros2 %s never says %q: %s%s", strings.Join(arguments, " "), want, out.Stdout,
		out.Stderr)
}

// launch starts a launch file of the installed package.
func (g graph) launch(file string, arguments ...string) *process.Process {
	g.t.Helper()
	needs(g.t, "ros2launch", "launch_ros")
	must(0, installed())
	return process.Start(g.t, g.node(append([]string{"ros2", "launch", "strips_wm", file,
		"transport:=" + g.transport}, arguments...)...))
}

// interrupt sends ^C to the launch, which hands it on where it has no terminal, and wants it to end
// with 0 and to leave no process.
func (g graph) interrupt(p *process.Process) {
	g.t.Helper()
	p.Signal(os.Interrupt)
	if code := p.Wait(); code != 0 {
		g.t.Errorf("ros2 launch ends with %d", code)
	}
	if left, _ := exec.Command("pgrep", "-a", "--session",
		fmt.Sprint(p.PID())).Output(); len(left) > 0 {
		g.t.Errorf("^C leaves %s", left)
	}
	if said := p.Out.String() + p.Err.String(); strings.Contains(said, "Traceback") ||
		strings.Contains(said, "process has died") {
		g.t.Errorf("^C: %s", said)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
