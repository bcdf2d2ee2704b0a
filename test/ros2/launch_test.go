package ros2

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"stripswm/test/internal/process"
)

const bundle = "../launch/testdata/bundle"

// installed has colcon build and install the package strips_wm, once for all tests.
var installed = sync.OnceValue(func() error {
	if _, err := os.Stat(filepath.Join(root, ".deps", "onnxruntime")); err != nil {
		return fmt.Errorf("run `make setup` first: %w", err)
	}
	return build("strips_wm", root)
})

// launch starts a launch file.
func launch(t *testing.T, domain int, file string, arguments ...string) *process.Process {
	t.Helper()
	if err := installed(); err != nil {
		t.Fatal(err)
	}
	cmd := sourced(append([]string{"ros2", "launch", "strips_wm", file}, arguments...)...)
	return process.Start(t, in(domain, "", cmd))
}

// interrupt sends ^C to the launch, which hands it on where it has no terminal, and wants it to end
// with 0 and to leave no process.
func interrupt(t *testing.T, p *process.Process) {
	t.Helper()
	p.Signal(os.Interrupt)
	if code := p.Wait(); code != 0 {
		t.Errorf("ros2 launch ends with %d", code)
	}
	if left, _ := exec.Command("pgrep", "-a", "--session",
		fmt.Sprint(p.PID())).Output(); len(left) > 0 {
		t.Errorf("^C leaves %s", left)
	}
	if said := p.Out.String() + p.Err.String(); strings.Contains(said, "Traceback") ||
		strings.Contains(said, "process has died") {
		t.Errorf("^C: %s", said)
	}
}

// await asks the command line again until it says what is wanted.
func await(t *testing.T, domain int, want string, arguments ...string) {
	t.Helper()
	var out process.Result
	for end := time.Now().Add(process.Patience / 4); time.Now().Before(end); {
		out = process.Run(t, in(domain, "", sourced(append([]string{"timeout", "60", "ros2"},
			arguments...)...)))
		if strings.Contains(out.Stdout, want) {
			return
		}
	}
	t.Fatalf("ros2 %s never says %q: %s%s", strings.Join(arguments, " "), want, out.Stdout, out.Stderr)
}

// TestLaunch brings up the rig with planner and recorder, has a client of rclpy reach goals, and
// reads with `ros2 bag` what was recorded, by the recorder and by `ros2 bag` itself.
func TestLaunch(t *testing.T) {
	domain, dir := process.Domain(t), t.TempDir()
	params := filepath.Join(dir, "rig.yaml")
	const quick = "simrig: {ros__parameters: {skill_duration: 0.1, settling: 0.0}}\n"
	if err := os.WriteFile(params, []byte(quick), 0o600); err != nil {
		t.Fatal(err)
	}
	here, err := filepath.Abs(bundle)
	if err != nil {
		t.Fatal(err)
	}
	bag := filepath.Join(dir, "bag")
	up := launch(t, domain, "sim.launch.py", "bundle:="+here, "record:="+bag, "params_file:="+params)
	await(t, domain, "active [3]", "lifecycle", "get", "/planner")
	await(t, domain, "/recorder", "node", "list")

	theirs := filepath.Join(dir, "theirs")
	record := process.Start(t, in(domain, "", sourced("ros2", "bag", "record", "-o", theirs,
		"/skill_status", "/transitions")))
	goals := process.Run(t, in(domain, "", sourced("timeout", "400", "python3", "testdata/goals.py",
		"3")))
	if goals.Code != 0 || !strings.Contains(goals.Stdout, "reached 3 of 3") {
		t.Errorf("the client of rclpy ends with %d: %s%s", goals.Code, goals.Stdout, goals.Stderr)
	}
	record.Signal(os.Interrupt)
	record.Wait()
	interrupt(t, up)
	for _, dir := range []string{bag, theirs} {
		out := process.Run(t, in(domain, "", sourced("ros2", "bag", "info", dir)))
		if out.Code != 0 || !strings.Contains(out.Stdout, "strips_wm_msgs/msg/Transition") {
			t.Errorf("ros2 bag info %s ends with %d: %s%s", dir, out.Code, out.Stdout, out.Stderr)
		}
	}
}

// Without Gazebo the launch file says so, and starts nothing.
func TestLaunchWithoutGazebo(t *testing.T) {
	if _, err := exec.LookPath("gz"); err == nil {
		t.Skip("not tested: Gazebo is installed")
	}
	p := launch(t, process.Domain(t), "gazebo.launch.py")
	code := p.Wait()
	said := p.Out.String() + p.Err.String()
	if code == 0 || !strings.Contains(said, "Gazebo harmonic is not installed") ||
		strings.Contains(said, "Traceback") || strings.Contains(said, "process started") {
		t.Errorf("ros2 launch ends with %d: %s", code, said)
	}
}

// TestExecutorInPython ends the executor to begin with, as committed, by ^C.
func TestExecutorInPython(t *testing.T) {
	domain := process.Domain(t)
	p := process.Start(t, in(domain, "", sourced("python3", filepath.Join(root, "launch",
		"executor", "executor.py"))))
	await(t, domain, "/execute_skill", "action", "list")
	p.Signal(os.Interrupt)
	if code := p.Wait(); code != 0 || strings.Contains(p.Err.String(), "Traceback") {
		t.Errorf("^C: exit code %d, %s", code, &p.Err)
	}
}
