package ros2

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stripswm/test/internal/process"
)

// TestGoals has a client of rclpy reach goals on the rig, while the recorder and `ros2 bag` record.
// Both recordings are read by ROS 2 and by this project.
func TestGoals(t *testing.T) {
	dir := t.TempDir()
	each(t, func(g graph) {
		dir := filepath.Join(dir, g.transport+g.rmw)
		ours, theirs := filepath.Join(dir, "ours"), filepath.Join(dir, "theirs")
		up := g.launch("sim.launch.py", "bundle:="+bundle(), "record:="+ours,
			"params_file:="+quick(t))
		g.await("active [3]", "lifecycle", "get", "/planner")
		g.await("/recorder", "node", "list")
		record := process.Start(t, g.command("ros2", "bag", "record", "-o", theirs, "/camera/image_raw",
			"/skill", "/transitions"))
		client := process.Run(t, g.command("timeout", "400", "python3", "testdata/goals.py", "2"))
		if client.Code != 0 || !strings.Contains(client.Stdout, "reached 2 of 2") {
			t.Errorf("the client of rclpy ends with %d: %s%s", client.Code, client.Stdout, client.Stderr)
		}
		record.Stop(os.Interrupt)
		g.interrupt(up)
		for _, bag := range []string{ours, theirs} {
			if said := g.says("bag", "info", bag); !strings.Contains(said,
				"strips_wm_msgs/msg/Transition") {
				t.Errorf("ros2 bag info says %s", said)
			}
		}
		g.plays(ours)
		g.imports(theirs)
	})
}

// plays has ROS 2 play a recording, and receive its transitions.
func (g graph) plays(bag string) {
	g.t.Helper()
	play := process.Start(g.t, g.command("ros2", "bag", "play", "--loop", bag))
	g.await("action: ", "topic", "echo", "--once", "--no-arr", "/transitions")
	play.Stop(os.Interrupt)
}

// imports makes a recording from one of `ros2 bag record`.
func (g graph) imports(bag string) {
	g.t.Helper()
	out := bag + "-imported"
	for _, arguments := range [][]string{
		{"import", "bag", bag, "--image-topic", "/camera/image_raw", "--skill-topic", "/skill",
			"--start-rule", "^start (.+)", "--end-rule", "^done", "--refused-rule", "^refused",
			"--out", out},
		{"check", out},
	} {
		if done := process.Run(g.t, g.command(append([]string{process.Program("stripswm")},
			arguments...)...)); done.Code != 0 {
			g.t.Errorf("stripswm %s ends with %d: %s%s", strings.Join(arguments, " "), done.Code,
				done.Stdout, done.Stderr)
		}
	}
}
