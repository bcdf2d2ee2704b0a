package ros2

import (
	"slices"
	"strings"
	"testing"
)

// TestCommands asks rig and planner, by ROS 2's command line.
func TestCommands(t *testing.T) {
	each(t, func(g graph) {
		rig := g.start("simrig", "--params-file", quick(t))
		planner := g.start("planner", "-p", "bundle:="+bundle())
		g.await("active [3]", "lifecycle", "get", "/planner")
		for _, c := range []struct{ command, want string }{
			{"node list", "/simrig"},
			{"node info /planner", "/plan_to_image: strips_wm_msgs/action/PlanToImage"},
			{"lifecycle nodes", "/planner"},
			{"lifecycle list /planner", "deactivate [4]"},
			{"lifecycle set /planner deactivate", "Transitioning successful"},
			{"lifecycle get /planner", "inactive [2]"},
			{"lifecycle set /planner activate", "Transitioning successful"},
			{"topic list -t", "/skill_status [strips_wm_msgs/msg/SkillStatus]"},
			{"topic info -v /camera/image_raw", "Reliability: BEST_EFFORT"},
			{"topic echo --once --no-arr /camera/image_raw", "encoding: rgb8"},
			{"service list -t", "/planner/plan [std_srvs/srv/Trigger]"},
			{"service call /simrig/state std_srvs/srv/Trigger", "success=True"},
			{"action list -t", "/execute_skill [strips_wm_msgs/action/ExecuteSkill]"},
			{"action info /execute_skill", "Action servers: 1"},
			{"action send_goal -f /execute_skill strips_wm_msgs/action/ExecuteSkill {\"action\":1}",
				"Goal finished with status"},
			{"param list /planner", "settle"},
			{"param describe /planner settle", "Type: double"},
			{"param get /planner bundle", "bundle"},
			{"param set /planner settle 0.2", "Set parameter successful"},
			{"param dump /planner", "settle: 0.2"},
		} {
			arguments := strings.Fields(c.command)
			if slices.Contains([]string{"list", "info", "nodes"}, arguments[1]) {
				g.await(c.want, arguments...) // what a command has heard of soon after its start
				continue
			}
			if said := g.says(arguments...); !strings.Contains(said, c.want) {
				t.Errorf("ros2 %s says no %q: %s", c.command, c.want, said)
			}
		}
		g.end(planner, rig)
	})
}
