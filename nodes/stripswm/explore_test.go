package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"stripswm/nodes/exploration"
)

func TestExploreUsage(t *testing.T) {
	x := t.TempDir()
	ends(t, map[string]end{
		"explore":                                                        {exitUsage, `"out" not set`},
		"explore --target-coverage 2 --out " + x:                         {exitUsage, "want 0 to 1"},
		"explore --world blocksworl --out " + x:                          {exitUsage, "blocksworld"},
		"explore --exclude-actions 99 --out " + x:                        {exitUsage, "action 99"},
		"explore --world lamps --exclude-actions 1,2,3,4,5,6 --out " + x: {exitUsage, "are excluded"},
	})
}

// TestExploreKeepsWhatIsThere has an exploration begin where others have put something.
func TestExploreKeepsWhatIsThere(t *testing.T) {
	for path, line := range map[string][]string{
		"bundle/model.json": {"explore", "--attempts", "5"},
		"explored.json":     {"explore", "--attempts", "5"},
	} {
		out := t.TempDir()
		mine := filepath.Join(out, path)
		must(0, os.MkdirAll(filepath.Dir(mine), 0o755))
		write(t, mine, "mine")
		ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
		code, _, stderr := verb(t, ctx, append(line, "--out", out, "--steps", "30", "--size", "64")...)
		stop()
		if code != exitFailure || !strings.Contains(stderr, filepath.Dir(mine)) {
			t.Errorf("%s: exit %d: %s", path, code, stderr)
		}
		if data, _ := os.ReadFile(mine); string(data) != "mine" {
			t.Errorf("%s holds %q now", path, data)
		}
	}
}

// TestExplore explores, goes on, and learns a bundle of facts from the recording.
func TestExplore(t *testing.T) {
	out := t.TempDir()
	line := func(more ...string) []string {
		return append([]string{"explore", "--out", out, "--steps", "40",
			"--threads", "1", "--size", "64"}, more...)
	}
	code, stdout, stderr := verb(t, t.Context(), line("--attempts", "60")...)
	if code == exitOK || !strings.Contains(stderr, "record more") ||
		!strings.Contains(stdout, "never succeeded") {
		t.Fatalf("60 attempts: exit %d: %s%s", code, stdout, stderr)
	}
	if code, _, stderr := verb(t, t.Context(), line()...); code == exitOK ||
		!strings.Contains(stderr, "--resume") {
		t.Errorf("over what is there: exit %d: %s", code, stderr)
	}
	if code, stdout, stderr = verb(t, t.Context(), line("--resume")...); code != exitOK ||
		!strings.Contains(stdout, " h of robot time") {
		t.Fatalf("exit %d: %s%s", code, stdout, stderr)
	}
	var status exploration.Status
	must(0, json.Unmarshal(must(os.ReadFile(filepath.Join(out, "explored.json"))), &status))
	if status.Success < 0.95 || status.Reason != exploration.Explored ||
		status.Seconds != float64(20*status.Succeeded+2*(status.Attempts-status.Succeeded)) {
		t.Errorf("%+v", status)
	}
	if m := must(readModel(filepath.Join(out, "bundle"))); len(m.Operators) != 18 {
		t.Errorf("%d operators", len(m.Operators))
	}
}
