package main

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"stripswm/models/baselines"
)

// TestBaselineIsLearnedAndAsked learns every baseline for a few steps, and asks it beside a bundle
// of the same recording.
func TestBaselineIsLearnedAndAsked(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	run := func(line string) string {
		t.Helper()
		code, stdout, stderr := verb(t, t.Context(), strings.Fields(line)...)
		if code != exitOK {
			t.Fatalf("stripswm %s: exit %d, %s", line, code, stderr)
		}
		return stdout
	}
	run("record --world blocksworld --transitions 300 --size 64 --quiet --out " + in("bag"))
	run("learn --preset small --steps 200 --threads 2 --quiet --bag " + in("bag") + " --out " +
		in("run"))
	asked, ids := "", []string{}
	for _, l := range baselines.Learners() {
		if !slices.ContainsFunc(baselines.All(), func(b baselines.Baseline) bool {
			return b.ID == l.ID
		}) {
			continue // a variant of another
		}
		var said struct {
			Method  string         `json:"method"`
			Learned map[string]any `json:"learned"`
		}
		out := run("research baseline learn --json --steps 60 --threads 2 --method " + l.ID + " --bag " +
			in("bag") + " --out " + in(l.ID))
		if err := json.Unmarshal([]byte(out), &said); err != nil || said.Method != l.ID ||
			len(said.Learned) == 0 {
			t.Errorf("%s: %v in %s", l.ID, err, out)
		}
		asked += " --baseline " + in(l.ID)
		ids = append(ids, l.ID)
	}
	table := run("eval --quick --queries 2 --images 2 --bundle " + in("run/bundle") + asked +
		" --method " + strings.Join(ids, ","))
	for _, b := range baselines.All() {
		if shown, wanted := strings.Contains(table, b.Name), strings.Contains(strings.Join(ids, ","),
			b.ID); shown != wanted {
			t.Errorf("%s is shown: %v, want %v, in\n%s", b.Name, shown, wanted, table)
		}
	}
	if alone := run("eval --quiet --queries 2" + asked); !strings.Contains(alone, "LSR: horizon") ||
		!strings.Contains(alone, "all") {
		t.Errorf("asked alone: %s", alone)
	}

	run("record --world blocksworld --transitions 20 --size 64 --seed 2 --quiet --out " + in("other"))
	run("research baseline learn --quiet --steps 20 --method lsr --bag " + in("other") + " --out " +
		in("lsr-other"))
	for line, says := range map[string]string{
		"eval --quick --queries 2 --bundle " + in("run/bundle") + " --baseline " +
			in("lsr-other"): "another recording",
		"eval --quick --queries 2 --bundle " + in("run/bundle") + " --baseline " +
			in("run/nothing"): "no such file",
		"eval --quick --queries 2 --bundle " + in("run/bundle") +
			" --method lsr": "there are strips-wm, no-exceptions, graph-search, wm-bfs, wm-rollout",
		"eval --method lsr --baseline " +
			in("lsr"): "need --bundle",
		"eval --baseline " + in("lsr") + " --truth " +
			in("bag"): "--bundle is needed",
		"research baseline learn --method magic --bag " + in("bag") + " --out " + in("x"): `no baseline "magic"`,
		"research baseline learn --method lsr --bag " +
			in("bag"): "are needed",
		"research baseline learn --method lsr --steps -1 --bag " + in("bag") + " --out " +
			in("x"): "at least 0",
		"research baseline learn --method lsr --bag " + in("bag") + " --out " +
			in("run"): "will not replace",
		"research baseline": "which verb?",
	} {
		if code, _, stderr := verb(t, t.Context(), strings.Fields(line)...); code == exitOK ||
			!strings.Contains(stderr, says) {
			t.Errorf("stripswm %s: exit %d, %s", line, code, stderr)
		}
	}
}
