package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"stripswm/models/strips"
	"stripswm/nodes/eval/explorebench"
	"stripswm/nodes/exploration"
)

// TestExplore has a robot make so many attempts and learn from them, with next to no training.
func TestExplore(t *testing.T) {
	out := t.TempDir()
	code, stdout, stderr := verb(t, t.Context(), "explore", "--out", out, "--attempts", "45",
		"--exclude-actions", "18", "--steps", "60", "--threads", "1", "--size", "64", "--json")
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var curve explorebench.Curve
	if err := json.Unmarshal([]byte(stdout), &curve); err != nil {
		t.Fatal(err)
	}
	if n := len(curve.Points); n == 0 || curve.Points[n-1].Attempts != 45 || curve.Reason == "" {
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

// TestExploreResume goes on with what was recorded and learned: all is one recording, and one
// curve.
func TestExploreResume(t *testing.T) {
	out := t.TempDir()
	line := func(n string, more ...string) []string {
		return append([]string{"explore", "--out", out, "--steps", "60", "--threads", "1", "--size", "64",
			"--json", "--attempts", n}, more...)
	}
	if code, _, stderr := verb(t, t.Context(), line("45")...); code != exitOK {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	if code, _, stderr := verb(t, t.Context(), line("60")...); code == exitOK ||
		!strings.Contains(stderr, "--resume") {
		t.Errorf("over what is there: exit %d: %s", code, stderr)
	}
	if code, _, stderr := verb(t, t.Context(), line("60", "--resume", "--seed",
		"2")...); code == exitOK || !strings.Contains(stderr, "seed 1") {
		t.Errorf("another seed: exit %d: %s", code, stderr)
	}
	code, stdout, stderr := verb(t, t.Context(), line("60", "--resume")...)
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var curve explorebench.Curve
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

// TestExploreBench has a comparison end early twice, once its explorer has learned and once the
// policy has begun: it goes on with what there is, unless another version of the program began
// that. When all is done, it does nothing more but draw.
func TestExploreBench(t *testing.T) {
	out := t.TempDir()
	run := filepath.Join(out, "blocksworld-1")
	line := []string{"research", "explore", "--resume", "--out", out, "--seed", "1", "--attempts",
		"40", "--random-attempts", "60", "--queries", "2", "--steps", "30", "--threads", "1", "--size",
		"64"}
	until := func(made string) {
		t.Helper()
		ctx, stop := context.WithCancel(t.Context())
		go func() {
			defer stop()
			for _, err := os.Stat(filepath.Join(run, made)); err != nil &&
				ctx.Err() == nil; _, err = os.Stat(filepath.Join(run, made)) {
				time.Sleep(time.Millisecond)
			}
		}()
		if code, stdout, stderr := verb(t, ctx, line...); code != exitInterrupted {
			t.Fatalf("until %s: exit %d: %s%s", made, code, stdout, stderr)
		}
	}
	explored := filepath.Join(run, "explorer", "explored.json")
	until("explorer/explored.json")
	until("random/bag")
	before := must(os.Stat(explored))

	note := filepath.Join(run, "commit")
	mine := string(must(os.ReadFile(note)))
	write(t, note, "another")
	if code, _, stderr := verb(t, t.Context(), line...); code != exitInput ||
		!strings.Contains(stderr, "begun by commit another") {
		t.Errorf("of another version: exit %d: %s", code, stderr)
	}
	write(t, note, mine)
	code, stdout, stderr := verb(t, t.Context(), line...)
	if code != exitOK || !strings.Contains(stdout, "explorer") || !strings.Contains(stdout, "random") {
		t.Fatalf("exit %d: %s%s", code, stdout, stderr)
	}
	if after := must(os.Stat(explored)); !after.ModTime().Equal(before.ModTime()) {
		t.Error("what the explorer had done was done again")
	}
	kept := filepath.Join(out, "blocksworld-1.json")
	var r explorebench.Result
	if err := json.Unmarshal(must(os.ReadFile(kept)), &r); err != nil {
		t.Fatal(err)
	}
	for robot, c := range map[string]explorebench.Curve{"explorer": r.Explorer, "random": r.Random} {
		want := map[string]int{"explorer": 40, "random": 60}[robot]
		if n := len(c.Points); n == 0 || c.Points[n-1].Attempts != want || c.Points[n-1].Pairs == 0 ||
			c.Reason == "" {
			t.Errorf("%s: %+v", robot, c)
		}
		code, stdout, stderr := verb(t, t.Context(), "check", filepath.Join(run, robot, "bag"), "--json")
		if code != exitOK || !strings.Contains(stdout, fmt.Sprintf(`"transitions": %d`, want)) {
			t.Errorf("check of the %s: exit %d: %s%s", robot, code, stdout, stderr)
		}
	}

	before = must(os.Stat(kept))
	if code, _, stderr := verb(t, t.Context(), line...); code != exitOK {
		t.Fatalf("again: exit %d: %s", code, stderr)
	}
	if after := must(os.Stat(kept)); !after.ModTime().Equal(before.ModTime()) {
		t.Error("it was done again")
	}
	must(os.Stat(filepath.Join(out, "success-by-attempts.svg")))
	write(t, filepath.Join(out, "else-1.json"), "{}")
	if code, _, stderr := verb(t, t.Context(), line...); code == exitOK ||
		!strings.Contains(stderr, "else-1.json") {
		t.Errorf("another file: exit %d: %s", code, stderr)
	}
}

func TestExploreUsage(t *testing.T) {
	for line, says := range map[string]string{
		"explore":                                                  "--out is needed",
		"research explore --out x":                                 "--attempts",
		"explore --out x --target-coverage 2":                      "want 0 to 1",
		"explore --out x --world blocksworl":                       "blocksworld",
		"explore --out " + t.TempDir() + "/y --exclude-actions 99": "action 99",
	} {
		if code, _, stderr := verb(t, t.Context(), strings.Fields(line)...); code == exitOK ||
			!strings.Contains(stderr, says) {
			t.Errorf("%s: exit %d: %s", line, code, stderr)
		}
	}
	os.RemoveAll("x")
}

// must is for what fails in no test.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestExploreKeepsWhatIsThere has an exploration begin where others have put something.
func TestExploreKeepsWhatIsThere(t *testing.T) {
	for path, line := range map[string][]string{
		"bundle/model.json":       {"explore", "--attempts", "5"},
		"explored.json":           {"explore", "--attempts", "5"},
		"blocksworld-1/notes.txt": {"research", "explore", "--attempts", "5", "--seed", "1"},
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

// TestExploreTraces explores by facts, goes on, and learns a bundle of facts from the recording.
func TestExploreTraces(t *testing.T) {
	out := t.TempDir()
	line := func(more ...string) []string {
		return append([]string{"explore", "--out", out, "--method", "traces", "--steps", "40",
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
	var status exploration.InformedStatus
	text, err := os.ReadFile(filepath.Join(out, "explored.json"))
	if err == nil {
		err = json.Unmarshal(text, &status)
	}
	if err != nil || status.Success < 0.95 || status.Reason != exploration.Explored ||
		status.Seconds != float64(20*status.Succeeded+2*(status.Attempts-status.Succeeded)) {
		t.Errorf("%+v, %v", status, err)
	}
	model, err := os.Open(filepath.Join(out, "bundle", "model.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	m, err := strips.ReadJSON(model)
	if err != nil || len(m.Operators) != 18 {
		t.Errorf("%d operators, %v", len(m.Operators), err)
	}
}
