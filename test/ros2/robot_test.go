package ros2

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"stripswm/test/internal/process"
)

// TestRobot has a robot of rclpy try skills, learns them, and has it brought to goals. A client of
// rclpy sends the goals and the first attempts, nine in ten of which apply; the explorer goes on,
// which finds out what is refused. All are in a namespace, with another topic of the camera.
func TestRobot(t *testing.T) {
	dir := t.TempDir()
	each(t, func(g graph) {
		dir := filepath.Join(dir, g.transport+g.rmw)
		bag, here := filepath.Join(dir, "bag"), []string{"-r", "__ns:=/cell"}
		cell := []string{"-r", "__ns:=/cell", "-r", "camera/image_raw:=eye"}
		python := func(arguments ...string) *exec.Cmd {
			return g.command(append([]string{"python3"}, arguments...)...)
		}
		begin := func() *process.Process {
			example := filepath.Join(root, "launch", "examples", "robot.py")
			return process.Start(g.t, python(append([]string{example, "--ros-args", "-p",
				"skill_duration:=0.02"}, cell...)...))
		}
		client := func(do, count string) string {
			return g.succeeds(python(append([]string{"testdata/blocks.py", do, count,
				"--ros-args"}, here...)...))
		}
		robot := begin()
		recorder := g.start("recorder", append(cell, "-p", "directory:="+bag, "-p",
			"settle:=0.05", "-p", "motion_window:=0.03", "-p", "min_free:=1")...)
		client("attempts", "120")
		g.succeeds(g.program("explorer", append([]string{"--ros-args", "-p", "bag:=" + bag, "-p",
			"actions:=12", "-p", "budget:=280", "-p", "once:=true"}, cell...)...))
		g.end(recorder, robot)

		g.succeeds(g.program("stripswm", "learn", "--quiet", "--bag", bag, "--out", dir))
		robot = begin() // with the blocks where they were first
		planner := g.start("planner", append(cell, "-p", "bundle:="+filepath.Join(dir, "bundle"),
			"-p", "settle:=0.05")...)
		if said := client("goals", "50"); !strings.Contains(said, "reached 50 of 50") {
			g.t.Errorf("the client of rclpy says %s", said)
		}
		g.end(planner, robot)

		var found struct{ Succeeded, Refused, Failed int }
		check := g.succeeds(g.program("stripswm", "check", "--json", bag))
		if err := json.Unmarshal([]byte(check), &found); err != nil {
			g.t.Fatalf("%v in %s", err, check)
		}
		want := fmt.Sprintf("('/cell/transitions', %d)", found.Succeeded+found.Refused+found.Failed)
		if said := g.succeeds(python("testdata/bag.py", bag)); strings.Count(said, want) != 2 {
			g.t.Errorf("stripswm check finds %+v, others %s", found, said)
		}
	})
}
