package recorder

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"stripswm/bags"
	"stripswm/msgs"
	"stripswm/nodes/cvbridge"
	"stripswm/test/internal/process"
)

// TestTheDiskEndsTheNode lets the bag grow no more, by the kernel's limit on files, while it is
// recorded.
func TestTheDiskEndsTheNode(t *testing.T) {
	t.Parallel()
	bag := filepath.Join(t.TempDir(), "bag")
	p, _, rec := cell(t, bag)
	p.run(pick)
	p.recorded()
	if out, err := exec.Command("prlimit", "--pid", fmt.Sprint(rec.PID()),
		"--fsize=1000").CombinedOutput(); err != nil {
		t.Fatalf("prlimit: %v: %s", err, out)
	}
	p.run(place)
	for said, soon := false, process.Soon(t); !said; {
		select {
		case m := <-p.diagnostics:
			s := m.Status[0]
			said = s.Level == msgs.DiagnosticStatusError &&
				strings.Contains(s.Message, "recording ended: transition") &&
				strings.Contains(s.Message, "file too large")
		case <-soon.Done():
			t.Fatal("/diagnostics does not say that the recording ended")
		}
	}
	if code := rec.Wait(); code != 6 {
		t.Errorf("exit code %d, want 6", code)
	}
	if !rec.Err.Has("recorder: the recording ended: transition") {
		t.Errorf("it does not say why:\n%s", &rec.Err)
	}
	kept, err := bags.Repair(context.Background(), bag, cvbridge.Describe, nil)
	if err != nil || kept.Kept < 2 { // that of cell, too
		t.Errorf("kept %+v, %v", kept, err)
	}
}
