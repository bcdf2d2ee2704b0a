package bags_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"stripswm/bags"
)

// acknowledged counts the transitions of a recording that may still be being made, and returns the
// last error.
func acknowledged(t *testing.T, dir string) (n int, last error) {
	t.Helper()
	r, err := bags.OpenLive(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, err := range r.Transitions(context.Background()) {
		if last = err; err == nil {
			n++
		}
	}
	return n, last
}

// TestOpenLive reads a recording after each attempt while its writer goes on, into a second file
// too.
func TestOpenLive(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	w, err := bags.Create(dir, fixed(bags.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range inThreeFiles() {
		if err := s(w); err != nil {
			t.Fatal(err)
		}
		want := 0
		for _, at := range []int{2, 5, 7} { // the attempts
			if i >= at {
				want++
			}
		}
		if got, err := acknowledged(t, dir); err != nil || got != want {
			t.Errorf("after step %d: %d transitions, %v, want %d", i, got, err, want)
		}
	}
	if got, err := acknowledged(t, dir); err != nil || got != len(three) {
		t.Errorf("in the end %d transitions, %v", got, err)
	}
	if _, err := attempts(t, dir); !errors.Is(err, bags.ErrTruncated) {
		t.Errorf("opened as one that has ended: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestOpenLiveToleratesTheLastFileAlone: what ends early before it is damage.
func TestOpenLiveToleratesTheLastFileAlone(t *testing.T) {
	for file, fault := range map[string]error{"run_2.mcap": nil, "run_0.mcap": bags.ErrTruncated} {
		dir := bag(t, bags.Options{}, inThreeFiles()...)
		path := filepath.Join(dir, file)
		if err := os.Truncate(path, int64(len(contents(t, path)))/2); err != nil {
			t.Fatal(err)
		}
		if _, err := acknowledged(t, dir); !errors.Is(err, fault) || (fault == nil) != (err == nil) {
			t.Errorf("%s cut: %v", file, err)
		}
	}
}
