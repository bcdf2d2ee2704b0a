package arm

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"stripswm/test/internal/process"
)

// root is the folder of the module.
var root, _ = filepath.Abs("../..")

func TestMain(m *testing.M) {
	if _, err := os.Stat(filepath.Join(root, ".deps", "arm", "requirements.txt")); err != nil {
		fmt.Println("test/arm: not tested: run `make setup-arm`")
		return
	}
	m.Run()
}

// TestCell has the arm pick, place and move objects, without ROS 2.
func TestCell(t *testing.T) {
	python := filepath.Join(root, ".deps", "arm", "bin", "python")
	if r := process.Run(t, exec.Command(python, "-m", "unittest", "test_cell")); r.Code != 0 {
		t.Errorf("test_cell.py ends with %d: %s", r.Code, r.Stderr)
	}
}

// TestMeasure checks how `make test-arm` judges.
func TestMeasure(t *testing.T) {
	needsROS(t)
	if r := process.Run(t, sourced("python3", "-m", "unittest", "test_measure")); r.Code != 0 {
		t.Errorf("test_measure.py ends with %d: %s", r.Code, r.Stderr)
	}
}

// TestRecording has a client of rclpy send 20 skills to the arm, which is a node by rclpy. The
// recorder hears them by Fast DDS, and its recording tells the same as the arm did.
func TestRecording(t *testing.T) {
	needsROS(t)
	if r := process.Run(t, sourced("make", "-s", "-C", root, "ros",
		"PROGRAMS=./nodes/recorder ./nodes/stripswm")); r.Code != 0 {
		t.Fatalf("make ros ends with %d: %s", r.Code, r.Stderr)
	}
	folder := t.TempDir()
	measure := sourced("python3", "measure.py", "--attempts", "20", "--pairs", "0", "--keep", folder,
		"--json")
	measure.Env = append(os.Environ(), fmt.Sprintf("ROS_DOMAIN_ID=%d", process.Domain(t)))
	r := process.Run(t, measure)
	var told, found struct{ Succeeded, Refused int } // without what was left out
	if err := json.Unmarshal([]byte(r.Stdout), &told); err != nil || r.Code != 0 {
		t.Fatalf("measure.py ends with %d: %v, %s%s", r.Code, err, r.Stdout, r.Stderr)
	}
	if told.Succeeded < 10 || told.Refused == 0 {
		t.Errorf("of 20 skills %d succeeded, and %d were refused", told.Succeeded, told.Refused)
	}
	r = process.Run(t, sourced(filepath.Join(root, "bin", "ros", "stripswm"), "check", "--json",
		filepath.Join(folder, "bag")))
	if err := json.Unmarshal([]byte(r.Stdout), &found); err != nil || r.Code != 0 {
		t.Fatalf("stripswm check ends with %d: %v, %s%s", r.Code, err, r.Stdout, r.Stderr)
	}
	if found != told {
		t.Errorf("the arm tells %+v, the recording %+v", told, found)
	}
}

// sourced is a command where ROS 2 and MuJoCo are at hand.
func sourced(arguments ...string) *exec.Cmd {
	return exec.Command(filepath.Join(root, "test", "arm", "run.sh"), arguments...)
}

func needsROS(t *testing.T) {
	t.Helper()
	if err := sourced("true").Run(); err != nil {
		t.Skip("not tested: no ROS 2 is sourced, or is in /opt/ros or .deps/ros")
	}
}
