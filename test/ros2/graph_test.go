package ros2

import (
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"stripswm/test/internal/process"
)

// A node that was started where ROS 2 is not sourced does not know which layout of
// ros_discovery_info is read here. One that is not read makes the command line fail until its
// daemon is stopped.
func TestNodeOfAPlainTerminal(t *testing.T) {
	domain := process.Domain(t)
	if err := in(domain, "", sourced("ros2", "daemon", "start")).Run(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in(domain, "", sourced("ros2", "daemon", "stop")).Run() })
	cmd := exec.Command(process.Program("simrig"))
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "ROS_DISTRO=") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "ROS_DOMAIN_ID="+strconv.Itoa(domain), "ROS_LOCALHOST_ONLY=1")
	rig := process.Start(t, cmd)
	rig.Await("ready")
	for range 3 {
		out := process.Run(t, in(domain, "", sourced("ros2", "node", "list")))
		if out.Code != 0 || !slices.Contains(strings.Fields(out.Stdout), "/simrig") {
			t.Errorf("ros2 node list ends with %d: %s%s", out.Code, out.Stdout, out.Stderr)
		}
	}
	out := process.Run(t, in(domain, "", sourced("ros2", "node", "info", "/simrig")))
	if out.Code != 0 || !strings.Contains(out.Stdout,
		"/execute_skill: strips_wm_msgs/action/ExecuteSkill") {
		t.Errorf("ros2 node info ends with %d: %s%s", out.Code, out.Stdout, out.Stderr)
	}
	rig.Stop(os.Interrupt)
}
