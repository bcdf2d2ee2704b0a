package ros2

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"stripswm/test/internal/process"
)

// root is the folder of the module.
var root, _ = filepath.Abs("../..")

// setups are the files that bring the ROS 2 that was found, and the messages, into a shell.
var setups []string

func TestMain(m *testing.M) {
	switch ros := find(); {
	case ros == "":
		fmt.Println("test/ros2: not tested: no ROS 2 is sourced, or is in /opt/ros or /opt/strips_ros2")
		return
	case ros != "sourced":
		setups = []string{ros}
	}
	if _, err := exec.LookPath("colcon"); err != nil {
		fmt.Println("test/ros2: not tested: colcon is not installed")
		return
	}
	if err := build("strips_wm_msgs", filepath.Join(root, "msgs")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	process.Main(m, "simrig", "planner", "recorder")
}

// find returns the setup file of a ROS 2, "sourced", or "".
func find() string {
	if os.Getenv("AMENT_PREFIX_PATH") != "" {
		return "sourced"
	}
	for _, pattern := range []string{"/opt/ros/*/setup.bash", "/opt/strips_ros2/setup.bash"} {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			return found[0]
		}
	}
	return ""
}

// build has colcon build a package into bin/ros2 and sources it from then on. Debian's Python is
// the one that ROS 2 is built for.
func build(pkg, folder string) error {
	work := filepath.Join(root, "bin", "ros2")
	if err := os.MkdirAll(work, 0o777); err != nil {
		return err
	}
	cmd := sourced("colcon", "build", "--base-paths", folder, "--packages-select", pkg,
		"--cmake-args", "-DPYTHON_EXECUTABLE=/usr/bin/python3", "-DPython3_EXECUTABLE=/usr/bin/python3")
	cmd.Dir = work
	cmd.Env = append(cmd.Env, "COLCON_LOG_PATH="+filepath.Join(work, "log"))
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", pkg, err, out)
	}
	if setup := filepath.Join(work, "install", "local_setup.bash"); len(setups) < 2 {
		setups = append(setups, setup)
	}
	return nil
}

// sourced is a command in a shell where ROS 2 is sourced.
func sourced(arguments ...string) *exec.Cmd {
	var script strings.Builder
	for _, file := range setups {
		fmt.Fprintf(&script, "source %s; ", file)
	}
	cmd := exec.Command("bash", append([]string{"-c", script.String() + `PATH=/usr/bin:$PATH; exec "$@"`, "bash"}, arguments...)...)
	cmd.Env = os.Environ()
	return cmd
}

// in puts a command into a domain, with an rmw or with the one that is configured ("").
func in(domain int, rmw string, cmd *exec.Cmd) *exec.Cmd {
	cmd.Env = append(cmd.Env, "ROS_DOMAIN_ID="+strconv.Itoa(domain), "ROS_LOCALHOST_ONLY=1",
		"PYTHONUNBUFFERED=1")
	if rmw != "" {
		cmd.Env = append(cmd.Env, "RMW_IMPLEMENTATION="+rmw)
	}
	return cmd
}

// limited keeps a command below 4 GB: a node that reads the request of another rmw may ask for
// more.
func limited(cmd *exec.Cmd) *exec.Cmd {
	cmd.Args[2] = "ulimit -v 4194304; " + cmd.Args[2]
	return cmd
}

// needs skips a test where the ROS 2 has no such rmw.
func needs(t *testing.T, rmw string) {
	t.Helper()
	if err := sourced("ros2", "pkg", "prefix", rmw).Run(); err != nil {
		t.Skipf("not tested: this ROS 2 has no %s", rmw)
	}
}
