package recorder

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"stripswm/test/internal/process"
)

// stripswm runs the command line and returns its exit code and output.
func stripswm(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	r := process.Run(t, exec.Command(process.Program("stripswm"), args...))
	return r.Code, r.Stdout, r.Stderr
}

// TestCheckRepairsAKilledRecording takes a killed recorder's bag through the exit codes that
// scripts rely on.
func TestCheckRepairsAKilledRecording(t *testing.T) {
	t.Parallel()
	bag := filepath.Join(t.TempDir(), "bag")
	want := killed(t, bag, 1500*time.Millisecond, "frames:=all")
	if code, out, _ := stripswm(t, "check", bag); code != 3 || !strings.Contains(out, "repairable") {
		t.Errorf("check of a killed recording: exit code %d\n%s", code, out)
	}
	code, out, problems := stripswm(t, "check", "--repair", bag)
	if code != 3 || !strings.Contains(out, " unacknowledged lost") {
		t.Errorf("repair: exit code %d\n%s%s", code, out, problems)
	}
	t.Logf("%d acknowledged: %s", len(want), out)
	missing(t, bag, want)
	if code, out, _ = stripswm(t, "check", "--repair", bag); code != 0 ||
		!strings.Contains(out, "nothing to repair") {
		t.Errorf("a second repair: exit code %d\n%s", code, out)
	}
	code, out, _ = stripswm(t, "check", "--json", bag)
	var report struct {
		Class       string
		Transitions int
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil || code != 0 ||
		report.Class != "intact" || report.Transitions < len(want) {
		t.Errorf("check: exit code %d, %+v, %v", code, report, err)
	}
}

// TestCheckFindsNothingToKeep kills a recorder before anything came.
func TestCheckFindsNothingToKeep(t *testing.T) {
	t.Parallel()
	bag := filepath.Join(t.TempDir(), "bag")
	launch(t, process.Domain(t), "recorder", "directory:="+bag, "min_free:=0").Stop(syscall.SIGKILL)
	for _, args := range [][]string{{"check", bag}, {"check", "--repair", bag}} {
		if code, out, problems := stripswm(t, args...); code != 1 {
			t.Errorf("%v: exit code %d\n%s%s", args, code, out, problems)
		}
	}
}
