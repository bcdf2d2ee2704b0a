package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stripswm/nodes/eval/attempts"
)

// TestExplore has a robot make so many attempts and learn from them, with next to no training.
func TestExplore(t *testing.T) {
	out := t.TempDir()
	code, stdout, stderr := verb(t, t.Context(), "explore", "--out", out, "--attempts", "45", "--forbid", "18", "--steps", "60", "--threads", "1", "--size", "64", "--json")
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var curve attempts.Curve
	if err := json.Unmarshal([]byte(stdout), &curve); err != nil {
		t.Fatal(err)
	}
	if n := len(curve.Points); n == 0 || curve.Points[n-1].Attempts != 45 || curve.Why == "" {
		t.Errorf("%+v", curve)
	}
	for _, file := range []string{"explored.svg", "explored.png", "bundle/model.json"} {
		if _, err := os.Stat(filepath.Join(out, file)); err != nil {
			t.Error(err)
		}
	}
	code, stdout, stderr = verb(t, t.Context(), "check", filepath.Join(out, "bag"), "--json")
	if code != exitOK || !strings.Contains(stdout, `"transitions": 45`) {
		t.Errorf("check: exit %d: %s%s", code, stdout, stderr)
	}
}

// TestExploreResume goes on with what was recorded and learned: all is one recording, and one curve.
func TestExploreResume(t *testing.T) {
	out := t.TempDir()
	line := func(n string, more ...string) []string {
		return append([]string{"explore", "--out", out, "--steps", "60", "--threads", "1", "--size", "64", "--json", "--attempts", n}, more...)
	}
	if code, _, stderr := verb(t, t.Context(), line("45")...); code != exitOK {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	if code, _, stderr := verb(t, t.Context(), line("60")...); code == exitOK || !strings.Contains(stderr, "--resume") {
		t.Errorf("over what is there: exit %d: %s", code, stderr)
	}
	if code, _, stderr := verb(t, t.Context(), line("60", "--resume", "--seed", "2")...); code == exitOK || !strings.Contains(stderr, "seed 1") {
		t.Errorf("another seed: exit %d: %s", code, stderr)
	}
	code, stdout, stderr := verb(t, t.Context(), line("60", "--resume")...)
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var curve attempts.Curve
	if err := json.Unmarshal([]byte(stdout), &curve); err != nil {
		t.Fatal(err)
	}
	at := map[int]bool{}
	for _, p := range curve.Points {
		at[p.Attempts] = true
	}
	if !at[45] || !at[60] {
		t.Errorf("the curve is %+v", curve)
	}
	code, stdout, stderr = verb(t, t.Context(), "check", filepath.Join(out, "bag"), "--json")
	if code != exitOK || !strings.Contains(stdout, `"transitions": 60`) {
		t.Errorf("check: exit %d: %s%s", code, stdout, stderr)
	}
}

// TestExploreBench compares, and a second time does nothing but draw.
func TestExploreBench(t *testing.T) {
	out := t.TempDir()
	line := []string{"explore", "--bench", "--out", out, "--seeds", "1", "--attempts", "40", "--walk", "60", "--queries", "2", "--steps", "60", "--threads", "1", "--size", "64"}
	code, stdout, stderr := verb(t, t.Context(), line...)
	if code != exitOK || !strings.Contains(stdout, "explorer") || !strings.Contains(stdout, "walk") {
		t.Fatalf("exit %d: %s%s", code, stdout, stderr)
	}
	kept := filepath.Join(out, "blocksworld-1.json")
	before, err := os.Stat(kept)
	if err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := verb(t, t.Context(), line...); code != exitOK {
		t.Fatalf("again: exit %d: %s", code, stderr)
	}
	if after, err := os.Stat(kept); err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("it was done again: %v", err)
	}
	if _, err := os.Stat(filepath.Join(out, "success-by-attempts.svg")); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(out, "else-1.json"), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := verb(t, t.Context(), line...); code == exitOK || !strings.Contains(stderr, "else-1.json") {
		t.Errorf("another file: exit %d: %s", code, stderr)
	}
}

func TestExploreUsage(t *testing.T) {
	for line, says := range map[string]string{
		"explore":                   "--out is needed",
		"explore --out x --bench":   "--attempts",
		"explore --out x --until 2": "want 0 to 1",
		"explore --out x --bench --attempts 9 --forbid 1": "forbid",
		"explore --out x --world blocksworl":              "blocksworld",
		"explore --out " + t.TempDir() + "/y --forbid 99": "action 99",
	} {
		if code, _, stderr := verb(t, t.Context(), strings.Fields(line)...); code == exitOK || !strings.Contains(stderr, says) {
			t.Errorf("%s: exit %d: %s", line, code, stderr)
		}
	}
	os.RemoveAll("x")
}
