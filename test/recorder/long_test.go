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

	"stripswm/test/internal/process"
)

// TestLongRecording records 640x480 at 30 Hz, three seconds of it or as many as
// STRIPS_WM_SECONDS says, with STRIPS_WM_FRAMES (transitions, all) and
// STRIPS_WM_SPLIT_SIZE: every skill must be recorded. It tells which frames were
// never taken, because the machine was too busy, and which were lost on the way.
func TestLongRecording(t *testing.T) {
	bag := filepath.Join(t.TempDir(), "bag")
	domain := process.Domain(t)
	rig := launch(t, domain, "simrig", "width:=640", "height:=480", "rate:=30.0",
		"skill_duration:=0.5")
	frames := os.Getenv("STRIPS_WM_FRAMES")
	if frames == "" {
		frames = "transitions"
	}
	rec := launch(t, domain, "recorder", "directory:="+bag, "frames:="+frames, "actions:=18",
		"queue:=60",
		fmt.Sprint("split_size:=", fromEnv("STRIPS_WM_SPLIT_SIZE", 20_000_000)))
	p := join(t, domain)
	p.warm()
	first := p.traffic()
	end := time.Now().Add(time.Duration(fromEnv("STRIPS_WM_SECONDS", 3)) * time.Second)
	var sizes []string
	next := time.Now()
	skills := 0
	for ; time.Now().Before(end); skills++ {
		p.run([]uint32{pick, place}[skills%2])
		p.recorded()
		if time.Now().After(next) {
			sizes = append(sizes, fmt.Sprint(residentMB(rec.PID())))
			next = next.Add(30 * time.Second)
		}
	}
	last := p.traffic()
	rec.Stop(syscall.SIGTERM)
	rig.Stop(syscall.SIGTERM)
	published, received := last.published-first.published, last.received-first.received
	// The recorder's report counts more frames as missing: traffic held the camera twice.
	t.Logf(
		"%d frames published, %d received, %d missing (%d of them dropped by the recorder); %d ticks "+
			"of the camera skipped",
		published, received, published-received, last.dropped-first.dropped, last.skipped-first.skipped)
	t.Logf("resident MB every 30 s: %s\n%s", strings.Join(sizes, " "), &rec.Out)
	if published == 0 || received > published {
		t.Errorf("%d frames published and %d received", published, received)
	}
	// Skills that were tried while the recorder had no image yet are lost, and not of the test.
	lost := strings.Count(rec.Err.String(), "an attempt is lost action=100000")
	if got := read(t, bag); len(got) != skills ||
		!rec.Out.Has(fmt.Sprintf(" %d lost, 0 not written", lost)) {
		t.Errorf("%d transitions of %d skills", len(got), skills)
	}
}

// residentMB is the memory of a process.
func residentMB(pid int) int {
	data := must(os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)))
	_, rest, _ := strings.Cut(string(data), "VmRSS:")
	kB := must(strconv.Atoi(strings.Fields(rest)[0]))
	return kB >> 10
}
