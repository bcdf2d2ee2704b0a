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

// work is where colcon builds, a folder for each distribution.
var work string

// setups are the files that bring the ROS 2 that was found, and the messages, into a shell.
var setups []string

func TestMain(m *testing.M) {
	switch ros := find(); {
	case ros == "":
		fmt.Println("test/ros2: not tested: no ROS 2 is sourced, or is in /opt/ros; run `make setup-ros`")
		return
	case ros != "sourced":
		setups = []string{ros}
	}
	distribution, err := sourced("printenv", "ROS_DISTRO").Output()
	if err != nil {
		fmt.Fprintln(os.Stderr, "test/ros2: ROS_DISTRO is not set where ROS 2 is sourced:", err)
		os.Exit(1)
	}
	work = filepath.Join(root, "bin", "ros2", strings.TrimSpace(string(distribution)))
	if sourced("which", "colcon").Run() != nil {
		fmt.Println("test/ros2: not tested: colcon is not installed")
		return
	}
	cmd := sourced(filepath.Join(root, "test", "messages.sh"))
	cmd.Stderr = os.Stderr
	messages, err := cmd.Output()
	if err != nil {
		fmt.Fprintln(os.Stderr, "test/ros2: build the messages:", err)
		os.Exit(1)
	}
	setups = append(setups, strings.TrimSpace(string(messages)))
	process.Main(m, "simrig", "stripswm")
}

// find returns the setup file of a ROS 2, "sourced", or "".
func find() string {
	if os.Getenv("AMENT_PREFIX_PATH") != "" {
		return "sourced"
	}
	for _, pattern := range []string{"/opt/ros/*/setup.bash",
		filepath.Join(root, ".deps", "ros", "jazzy", "setup.bash")} {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			return found[0]
		}
	}
	return ""
}

// installed has colcon build and install the package strips_wm, once for all tests, and sources it
// from then on. Debian's Python is the one that ROS 2 is built for.
var installed = sync.OnceValue(func() error {
	if _, err := os.Stat(filepath.Join(root, ".deps", "onnxruntime")); err != nil {
		return fmt.Errorf("run `make setup` first: %w", err)
	}
	if err := os.MkdirAll(work, 0o777); err != nil {
		return err
	}
	cmd := sourced("colcon", "build", "--base-paths", root, "--packages-select", "strips_wm",
		"--cmake-args", "-DPYTHON_EXECUTABLE=/usr/bin/python3", "-DPython3_EXECUTABLE=/usr/bin/python3")
	cmd.Dir = work
	cmd.Env = append(cmd.Env, "COLCON_LOG_PATH="+filepath.Join(work, "log"))
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build strips_wm: %w\n%s", err, out)
	}
	setups = append(setups, filepath.Join(work, "install", "local_setup.bash"))
	return nil
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

// has is whether the ROS 2 has a package.
func has(pkg string) bool {
	const script = `for d in ${AMENT_PREFIX_PATH//:/ }; do ` +
		`test ! -e $d/share/ament_index/resource_index/packages/$0 || exit 0; done; exit 1`
	return sourced("bash", "-c", script, pkg).Run() == nil
}

// needs skips a test where the ROS 2 has no such package: that of PyPI is a part of ROS 2.
func needs(t *testing.T, packages ...string) {
	t.Helper()
	for _, pkg := range packages {
		if !has(pkg) {
			t.Skipf("not tested: this ROS 2 has no package %s", pkg)
		}
	}
}

// rmws are those of the ROS 2 that speak DDS.
func rmws() []string {
	return slices.DeleteFunc([]string{cycloneDDS, fastDDS}, func(rmw string) bool { return !has(rmw) })
}
