package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"

	"stripswm/bags"
	"stripswm/internal/files"
	"stripswm/models/bundle"
	"stripswm/nodes/learn"
	"stripswm/nodes/sim"
)

// demoIn is a demo of few transitions in a folder.
func demoIn(t *testing.T, out string) demo {
	t.Helper()
	w, err := sim.New("blocksworld")
	if err != nil {
		t.Fatal(err)
	}
	cmd := &cobra.Command{}
	cmd.SetContext(context.Background())
	d := newDemo(cmd, &common{quiet: true}, w, learn.Learner{Bag: filepath.Join(out, "bag"), Out: out,
		Seed: 1})
	d.recorded = recordFlags{transitions: 5, policy: string(sim.Uniform)}
	d.images = imageFlags{size: 64, nuisance: 1}
	return d
}

// TestDemoKeepsRecordingsOfOthers puts other things where a demo records, or changes what one left.
func TestDemoKeepsRecordingsOfOthers(t *testing.T) {
	recorded := func(t *testing.T, out string) {
		if _, err := demoIn(t, out).record(); err != nil {
			t.Fatal(err)
		}
	}
	write := func(name string) func(t *testing.T, out string) {
		return func(t *testing.T, out string) {
			if err := os.WriteFile(filepath.Join(out, name), []byte("mine"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, tt := range map[string]struct {
		before   []func(t *testing.T, out string)
		replaced bool
	}{
		"nothing":           {nil, true},
		"an earlier demo's": {[]func(*testing.T, string){recorded}, true},
		"a text file":       {[]func(*testing.T, string){write("bag")}, false},
		"a recorded bag": {[]func(*testing.T, string){func(t *testing.T, out string) {
			w, err := bags.Create(filepath.Join(out, "bag"), bags.Options{})
			if err := errors.Join(err, w.Close()); err != nil {
				t.Fatal(err)
			}
		}}, false},
		"a bag with a note": {[]func(*testing.T, string){recorded, write("bag/notes.txt")}, false},
		"a changed bag": {[]func(*testing.T, string){recorded, write("bag/bag_0.mcap")},
			false},
		"another's recording.json": {[]func(*testing.T, string){write("recording.json")}, false},
	} {
		t.Run(name, func(t *testing.T) {
			out := t.TempDir()
			for _, step := range tt.before {
				step(t, out)
			}
			sum := func() string {
				s, _, err := bundle.HashDir(out)
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
			before := sum()
			_, err := demoIn(t, out).record()
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
