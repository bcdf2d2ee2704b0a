package ros2

import (
	"path/filepath"
	"strings"
	"testing"

	"stripswm/test/internal/process"
)

// TestExecutors starts the executors to begin with, as committed, sends each a goal that it
// refuses, and ends it by ^C.
func TestExecutors(t *testing.T) {
	folder := filepath.Join(root, "launch", "examples")
	for name, executor := range map[string]struct {
		program func(*testing.T) []string
		want    string
	}{
		"python": {func(*testing.T) []string {
			return []string{"python3", filepath.Join(folder, "robot.py")}
		}, "cannot place block 0 at place 0"},
		"c++": {func(t *testing.T) []string {
			needs(t, "rclcpp", "rclcpp_action")
			return []string{compiledExecutor(t, filepath.Join(folder, "executor.cpp"))}
		}, "skill 7 is not written yet"},
	} {
		t.Run(name, func(t *testing.T) {
			program := executor.program(t)
			for _, rmw := range rmws() {
				g := newGraph(t, "", rmw)
				p := process.Start(t, g.command(program...))
				said := g.says("action", "send_goal", "/execute_skill",
					"strips_wm_msgs/action/ExecuteSkill", "{action: 7}")
				if !strings.Contains(said, executor.want) ||
					!strings.Contains(said, "status: ABORTED") {
					t.Errorf("%s: ros2 action send_goal says %s", rmw, said)
				}
				g.end(p)
			}
		})
	}
}

// compiledExecutor compiles a C++ program against the ROS 2 and the messages.
func compiledExecutor(t *testing.T, source string) string {
	t.Helper()
	const flags = `for d in ${AMENT_PREFIX_PATH//:/ }; do for i in $d/include/*/; do echo -I$i; done; ` +
		`echo -L$d/lib -Wl,-rpath-link,$d/lib; done`
	out := must(sourced("bash", "-c", flags).Output())
	all := append([]string{"-std=c++17", "-pthread", "-Wl,--copy-dt-needed-entries"},
		strings.Fields(string(out))...)
	return process.Compile(t, source, append(all, "-lrclcpp", "-lrclcpp_action",
		"-lstrips_wm_msgs__rosidl_typesupport_cpp")...)
}
