package ros2

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"stripswm/test/internal/process"
)

// A node that was started where ROS 2 is not sourced does not know which layout of
// ros_discovery_info is read here. One that is not read makes the command line fail until its
// daemon is stopped.
func TestNodeOfAPlainTerminal(t *testing.T) {
	g := newGraph(t, "dds", rmws()[0])
	if has("ros2cli") {
		g.says("daemon", "start")
	}
	cmd := exec.Command(process.Program("simrig"))
	cmd.Env = slices.DeleteFunc(process.Env(g.domain),
		func(v string) bool { return strings.HasPrefix(v, "ROS_DISTRO=") })
	rig := process.Start(t, cmd)
	rig.Await("ready")
	for range 3 {
		if said := g.says("node", "list"); !slices.Contains(strings.Fields(said), "/simrig") {
			t.Errorf("ros2 node list says %s", said)
		}
	}
	if said := g.says("node", "info", "/simrig"); !strings.Contains(said,
		"/execute_skill: strips_wm_msgs/action/ExecuteSkill") {
		t.Errorf("ros2 node info says %s", said)
	}
	rig.Stop(os.Interrupt)
}
