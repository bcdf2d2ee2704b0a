package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"stripswm/bags"
	"stripswm/internal/files"
	"stripswm/models/bundle"
	"stripswm/nodes/learn"
	"stripswm/nodes/sim"
)

// demoIn is a demo of few transitions in a folder.
func demoIn(out string) demo {
	w := must(sim.New("blocksworld"))
	cmd := &cobra.Command{}
	cmd.SetContext(context.Background())
	d := newDemo(cmd, &common{quiet: true}, w, learn.Learner{
		Bags: []string{filepath.Join(out, "bag")}, Out: out, Seed: 1})
	d.recorded = recordFlags{transitions: 5, policy: string(sim.Uniform)}
	d.images = imageFlags{size: 64, nuisance: 1}
	return d
}

// TestDemoKeepsRecordingsOfOthers puts other things where a demo records, or changes what one left.
func TestDemoKeepsRecordingsOfOthers(t *testing.T) {
	recorded := func(t *testing.T, out string) { must(demoIn(out).record()) }
	put := func(name string) func(t *testing.T, out string) {
		return func(t *testing.T, out string) { write(t, filepath.Join(out, name), "mine") }
	}
	for name, tt := range map[string]struct {
		before   []func(t *testing.T, out string)
		replaced bool
	}{
		"nothing":           {nil, true},
		"an earlier demo's": {[]func(*testing.T, string){recorded}, true},
		"a text file":       {[]func(*testing.T, string){put("bag")}, false},
		"a recorded bag": {[]func(*testing.T, string){func(t *testing.T, out string) {
			must(0, must(bags.Create(filepath.Join(out, "bag"), bags.Options{})).Close())
		}}, false},
		"a bag with a note": {[]func(*testing.T, string){recorded, put("bag/notes.txt")}, false},
		"a changed bag": {[]func(*testing.T, string){recorded, put("bag/bag_0.mcap")},
			false},
		"another's recording.json": {[]func(*testing.T, string){put("recording.json")}, false},
	} {
		t.Run(name, func(t *testing.T) {
			out := t.TempDir()
			for _, step := range tt.before {
				step(t, out)
			}
			sum := func() string {
				s, _, err := bundle.HashDir(out)
				return must(s, err)
			}
			before := sum()
			_, err := demoIn(out).record()
			if tt.replaced != (err == nil) {
				t.Fatalf("%v", err)
			}
			if !tt.replaced && (sum() != before || !errors.Is(err, files.ErrNotMade)) {
				t.Errorf("the folder changed, or another error: %v", err)
			}
			if _, err := bags.Open(filepath.Join(out, "bag")); tt.replaced && err != nil {
				t.Error(err)
			}
		})
	}
}

// TestRecordJSON holds what record says for scripts against the recording, where somebody changes
// the scene before every attempt, and every label is wrong.
func TestRecordJSON(t *testing.T) {
	line := "record --transitions 3 --size 64 --resets 1 --mislabel 1 --out "
	for _, unmarked := range []string{"", " --unmarked"} {
		out := filepath.Join(t.TempDir(), "bag")
		summary := map[string]any{}
		said(t, line+out+unmarked, &summary)
		for key := range summary {
			if key != strings.ToLower(key) {
				t.Errorf("%q is not in snake case", key)
			}
		}
		info := must(os.Stat(filepath.Join(out, "bag_0.mcap")))
		if summary["transitions"] != 3.0 || summary["mislabelled"] != 3.0 ||
			summary["resets"].(float64) < 3 || summary["bytes"] != float64(info.Size()) {
			t.Errorf("%v where the file has %d bytes", summary, info.Size())
		}
		r := must(bags.Open(out))
		for attempt, err := range r.Transitions(t.Context()) {
			if err != nil || attempt.Reset != (unmarked == "") {
				t.Errorf("%q: attempt %d, reset %t, %v", unmarked, attempt.Index, attempt.Reset, err)
			}
		}
		must(0, r.Close())
		ends(t, map[string]end{line + out: {exitFailure, out}}) // where a recording is
	}
}

// TestRecordingOfEarlierDemos reads a recording.json from before its keys were in snake case.
func TestRecordingOfEarlierDemos(t *testing.T) {
	const earlier = `{"Transitions":7,"Mislabelled":1,"Refused":2,"Resets":3,"States":4,"Bytes":5,"Seconds":0.5,"Cost":{"Seconds":1.5,"PeakMemory":6}}`
	var r recording
	must(0, json.Unmarshal([]byte(earlier), &r))
	if s := r.Summary; s.Transitions != 7 || s.States != 4 || s.Bytes != 5 || r.Cost.PeakMemory != 6 {
		t.Errorf("read as %+v", r)
	}
}
