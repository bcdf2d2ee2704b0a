package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestRecordJSON holds what record says for scripts against the recording.
func TestRecordJSON(t *testing.T) {
	out := filepath.Join(t.TempDir(), "bag")
	code, stdout, stderr := verb(t, t.Context(), "record", "--json", "--out", out, "--transitions",
		"3", "--size", "64")
	if code != exitOK {
		t.Fatalf("exit %d, %s", code, stderr)
	}
	said := map[string]any{}
	if err := json.Unmarshal([]byte(stdout), &said); err != nil {
		t.Fatal(err)
	}
	for key := range said {
		if key != strings.ToLower(key) {
			t.Errorf("%q is not in snake case", key)
		}
	}
	info, err := os.Stat(filepath.Join(out, "bag_0.mcap"))
	if err != nil {
		t.Fatal(err)
	}
	if said["transitions"] != 3.0 || said["bytes"] != float64(info.Size()) {
		t.Errorf("%s where the file has %d bytes", stdout, info.Size())
	}
}

// TestRecordingOfEarlierDemos reads a recording.json from before its keys were in snake case.
func TestRecordingOfEarlierDemos(t *testing.T) {
	const earlier = `{"Transitions":7,"Mislabelled":1,"Refused":2,"Resets":3,"States":4,"Bytes":5,"Seconds":0.5,"Cost":{"Seconds":1.5,"PeakMemory":6}}`
	var r recording
	if err := json.Unmarshal([]byte(earlier), &r); err != nil {
		t.Fatal(err)
	}
	if s := r.Summary; s.Transitions != 7 || s.States != 4 || s.Bytes != 5 || r.Cost.PeakMemory != 6 {
		t.Errorf("read as %+v", r)
	}
}

func TestExportJSON(t *testing.T) {
	model, out := t.TempDir(), filepath.Join(t.TempDir(), "pddl")
	if code, _, stderr := verb(t, t.Context(), "operators", "learn", "--graph", blocksworldGraph,
		"--out", model, "-q"); code != exitOK {
		t.Fatalf("exit %d, %s", code, stderr)
	}
	for _, c := range []struct {
		flags string
		files []string
	}{
		{"", []string{"actions.json", "domain.pddl"}},
		{"--from 0 --to 1", []string{"actions.json", "domain.pddl", "problem.pddl"}},
	} {
		args := append([]string{"export", "--json", "--model", model, "--out", out},
			strings.Fields(c.flags)...)
		code, stdout, stderr := verb(t, t.Context(), args...)
		var said exportOutput
		if err := json.Unmarshal([]byte(stdout), &said); err != nil || code != exitOK {
			t.Fatalf("exit %d, %v, %s%s", code, err, stdout, stderr)
		}
		for i := range c.files {
			c.files[i] = filepath.Join(out, c.files[i])
			if _, err := os.Stat(c.files[i]); err != nil {
				t.Error(err)
			}
		}
		if !slices.Equal(said.Files, c.files) || said.Dialect != "negative" || said.Actions != 18 ||
			said.Operators != 18 || said.Predicates == 0 {
			t.Errorf("export %s says %s", c.flags, stdout)
		}
	}
}
