package ros2

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"stripswm/test/internal/process"
)

// root is the folder of the module.
var root, _ = filepath.Abs("../..")

// packages is where colcon installs.
var packages = filepath.Join(root, "bin", "ros2", "install")

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
	process.Main(m, "simrig", "stripswm")
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
	if setup := filepath.Join(packages, "local_setup.bash"); !slices.Contains(setups, setup) {
		setups = append(setups, setup)
	}
	return nil
}

// installed has colcon build and install the package strips_wm, once for all tests.
var installed = sync.OnceValue(func() error {
	if _, err := os.Stat(filepath.Join(root, ".deps", "onnxruntime")); err != nil {
		return fmt.Errorf("run `make setup` first: %w", err)
	}
	return build("strips_wm", root)
})

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

// needs skips a test where the ROS 2 has no such rmw.
func needs(t *testing.T, rmw string) {
	t.Helper()
	if err := sourced("ros2", "pkg", "prefix", rmw).Run(); err != nil {
		t.Skipf("not tested: this ROS 2 has no %s", rmw)
	}
}
