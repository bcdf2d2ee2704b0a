package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestReadsRegularFilesOnly gives verbs a pipe that nobody writes to, and a link to a device
// without an end, wherever they read a file.
func TestReadsRegularFilesOnly(t *testing.T) {
	for name, put := range map[string]func(path string) error{
		"pipe":   func(path string) error { return syscall.Mkfifo(path, 0o644) },
		"device": func(path string) error { return os.Symlink("/dev/full", path) },
	} {
		dir := t.TempDir()
		at := func(path string) string {
			path = filepath.Join(dir, path)
			must(0, os.MkdirAll(filepath.Dir(path), 0o755))
			if err := put(path); err != nil && !os.IsExist(err) {
				t.Fatal(err)
			}
			return path
		}
		for _, line := range [][]string{
			{"camera", at("now.png"), at("later.png")},
			{"check", at("bag.mcap")},
			{"check", at("bag.db3")},
			{"check", filepath.Dir(at("recorded/metadata.yaml"))},
			{"import", "images", filepath.Dir(at("images/transitions.csv")), "--out",
				filepath.Join(dir, "out")},
			{"operators", "suspects", "--graph", at("graph.dfa")},
			{"export", "--model", at("model.json"), "--out", filepath.Join(dir, "pddl")},
			{"export", "--bundle", filepath.Dir(at("bundle/manifest.json")), "--out",
				filepath.Join(dir, "pddl")},
			{"research", "compare", filepath.Dir(at("runs/blocksworld-1-eval.json")), "--out",
				filepath.Join(dir, "figure")},
			{"research", "sweep", "run", "--out", filepath.Dir(at("sweep/sweep.json"))},
		} {
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				if code, _, stderr := verb(t, t.Context(), line...); code != exitInput {
					t.Errorf("%s: %v: exit %d: %s", name, line, code, stderr)
				}
			}()
			select {
			case <-ended:
			case <-time.After(5 * time.Second):
				t.Errorf("%s: %v waits", name, line)
			}
		}
	}
}
