package main

import (
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBaselinePlanDrawsAndExports learns AMA3 from a few images, and asks it.
func TestBaselinePlanDrawsAndExports(t *testing.T) {
	dir, _ := labelledBlocks(t)
	out := filepath.Join(t.TempDir(), "ama3")
	if code, _, stderr := verb(t, t.Context(), "research", "baseline", "learn", "--quiet", "--steps",
		"30", "--method", "ama3", "--bag", dir, "--out", out); code != exitOK {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	img := func(name string) string { return filepath.Join(dir, name) }
	sheet, pddl := filepath.Join(t.TempDir(), "plan.png"), filepath.Join(t.TempDir(), "pddl")
	code, stdout, stderr := verb(t, t.Context(), "research", "baseline", "plan", "--bundle", out,
		"--start", img("1.png"), "--goal", img("1.png"), "--drawing", sheet, "--pddl", pddl, "--json")
	var said baselinePlanOutput
	if err := json.Unmarshal([]byte(stdout), &said); code != exitOK || err != nil || !said.Found ||
		said.Method != "ama3" || len(said.Plan) > 0 {
		t.Fatalf("from an image to itself: exit %d, %v, %+v: %s", code, err, said, stderr)
	}
	file, err := os.Open(sheet)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if drawn, err := png.Decode(file); err != nil || drawn.Bounds().Empty() {
		t.Errorf("the sheet: %v", err)
	}
	for name, has := range map[string]string{"domain.pddl": "(:action", "problem.pddl": "(:goal",
		"actions.json": "{"} {
		data, err := os.ReadFile(filepath.Join(pddl, name))
		if err != nil || !strings.Contains(string(data), has) {
			t.Errorf("%s: %v, want %q in it", name, err, has)
		}
	}
	query := "research baseline plan --start " + img("1.png") + " --goal " + img("2.png")
	for line, want := range map[string]struct {
		code int
		says string
	}{
		"research baseline plan --bundle " + out: {exitUsage,
			"are needed"},
		query + " --bundle " + out + " --method lsr": {exitUsage,
			"has ama3"},
		query + " --bundle " + blocksworldBundle: {exitUsage,
			"graph-search"},
		query + " --bundle " + blocksworldBundle + " --method wm-rollout --pddl " +
			pddl: {exitUsage, "has no operators"},
	} {
		if code, _, stderr := verb(t, t.Context(), strings.Fields(line)...); code != want.code ||
			!strings.Contains(stderr, want.says) {
			t.Errorf("stripswm %s: exit %d, %s", line, code, stderr)
		}
	}
}
