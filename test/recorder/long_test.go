package recorder

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestLongRecording records 640x480 at 30 Hz, three seconds of it or as many as
// STRIPS_WM_SECONDS says, with STRIPS_WM_FRAMES (transitions, all): no image may be
// dropped, and memory must not grow.
func TestLongRecording(t *testing.T) {
	bag := filepath.Join(t.TempDir(), "bag")
	domain := newDomain()
	rig := launch(t, domain, "simrig", "width:=640", "height:=480", "rate:=30.0", "skill_duration:=0.5")
	frames := os.Getenv("STRIPS_WM_FRAMES")
	if frames == "" {
		frames = "transitions"
	}
	rec := launch(t, domain, "recorder", "directory:="+bag, "frames:="+frames, "actions:=18", "queue:=60")
	p := join(t, domain)
	p.warm()
	end := time.Now().Add(time.Duration(fromEnv("STRIPS_WM_SECONDS", 3)) * time.Second)
	var sizes []string
	next := time.Now()
	for i := 0; time.Now().Before(end); i++ {
		p.run([]uint32{pick, place}[i%2])
		p.recorded()
		if time.Now().After(next) {
			sizes = append(sizes, fmt.Sprint(residentMB(t, rec.cmd.Process.Pid)))
			next = next.Add(30 * time.Second)
		}
	}
	rec.end(syscall.SIGTERM)
	rig.end(syscall.SIGTERM)
	t.Logf("resident MB every 30 s: %s\n%s", strings.Join(sizes, " "), rec.out)
	if !rec.out.has(" 0 dropped, ") {
		t.Error("images were dropped")
	}
}

// residentMB is the memory of a process.
func residentMB(t *testing.T, pid int) int {
	t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(data), "VmRSS:")
	kB, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return kB >> 10
}
