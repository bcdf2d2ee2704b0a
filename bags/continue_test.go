package bags_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"stripswm/bags"
)

// continued goes on with a recording, which it leaves open.
func continued(t *testing.T, dir string, opts bags.Options, steps ...step) *bags.Writer {
	t.Helper()
	w, _, err := bags.Continue(t.Context(), dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range steps {
		if err := s(w); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// inThreeRuns is inThreeFiles, whose recorder ended between them. Images are written again where
// transitions need them.
func inThreeRuns(t *testing.T, close bool) string {
	t.Helper()
	dir := bag(t, bags.Options{}, sees(1), sees(2), does(7, 1, 2))
	if err := continued(t, dir, bags.Options{}, sees(2), sees(3), refuses(4, 2, 3), sees(5),
		does(70, 3, 5)).Close(); err != nil {
		t.Fatal(err)
	}
	w := continued(t, dir, bags.Options{}, sees(3), sees(5), fails(70, 3, 5))
	if close {
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestContinue(t *testing.T) {
	dir := inThreeRuns(t, true)
	if got, err := attempts(t, dir); err != nil || !slices.Equal(got, three) {
		t.Errorf("read %v, %v", got, err)
	}
	report := check(t, dir)
	if report.Class != bags.Intact || report.Transitions != 3 || report.Amended != 1 {
		t.Errorf("%s", report)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "run_?.mcap")); len(files) != 3 {
		t.Errorf("files %v", files)
	}
	w, report, err := bags.Continue(t.Context(), dir, bags.Options{})
	if err != nil || report.Transitions != 3 {
		t.Fatalf("%s, %v", report, err)
	}
	if err := w.Close(); err != nil { // nothing was added, not even a topic
		t.Fatal(err)
	}
	if report := check(t, dir); report.Class != bags.Intact || report.Transitions != 3 {
		t.Errorf("%s", report)
	}
}

// A recorder that is killed in a later file leaves all of them, for a reader and for Repair.
func TestContinuedAndKilled(t *testing.T) {
	dir := inThreeRuns(t, false)
	r, err := bags.OpenLive(dir)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, err := range r.Transitions(t.Context()) {
		if n++; err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(); err != nil || n != 3 {
		t.Errorf("%d transitions of one that is being made, %v", n, err)
	}
	if _, _, err := bags.Continue(t.Context(), dir, bags.Options{}); !errors.Is(err,
		bags.ErrMetadata) || !strings.Contains(err.Error(), "stripswm check --repair") {
		t.Errorf("continued: %v", err)
	}
	if kept, err := bags.Repair(context.Background(), dir, decode, nil); err != nil ||
		kept.Kept != 4 || kept.Lost != 0 {
		t.Fatalf("%+v, %v", kept, err)
	}
	if got, err := attempts(t, dir); err != nil || !slices.Equal(got, three) {
		t.Errorf("read %v, %v", got, err)
	}
	if err := continued(t, dir, bags.Options{}, sees(8), does(9, 8, 8)).Close(); err != nil {
		t.Fatal(err)
	}
	if report := check(t, dir); report.Class != bags.Intact || report.Transitions != 4 {
		t.Errorf("%s", report)
	}
}

func TestWhatCannotBeContinued(t *testing.T) {
	if _, _, err := bags.Continue(t.Context(), t.TempDir()+"/none", bags.Options{}); !errors.Is(err,
		fs.ErrNotExist) {
		t.Errorf("nothing: %v", err)
	}
	dir := bag(t, bags.Options{}, sees(1), sees(2), does(7, 1, 2))
	full := errors.New("the disk is full")
	if _, _, err := bags.Continue(t.Context(), dir,
		bags.Options{OpenFile: func(string) (bags.File, error) { return nil, full }}); !errors.Is(err,
		full) {
		t.Errorf("a full disk: %v", err)
	}
	if report := check(t, dir); report.Class != bags.Intact {
		t.Errorf("after a full disk: %s", report)
	}
	if err := os.Rename(filepath.Join(dir, "run_0.mcap"),
		filepath.Join(dir, "mine.mcap")); err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(contents(t, filepath.Join(dir, "metadata.yaml"))), "run_0.mcap",
		"mine.mcap")
	rewrite(t, filepath.Join(dir, "metadata.yaml"), []byte(text))
	if _, _, err := bags.Continue(t.Context(), dir, bags.Options{}); !errors.Is(err,
		bags.ErrUnsupported) {
		t.Errorf("another's names: %v", err)
	}
}

// TestContinueKeepsMetadataOfOthers has somebody add what rosbag2 calls custom_data.
func TestContinueKeepsMetadataOfOthers(t *testing.T) {
	dir := bag(t, bags.Options{}, threeAttempts()...)
	path := filepath.Join(dir, "metadata.yaml")
	text := append(contents(t, path), "    custom_data:\n        operator: mine\n"...)
	rewrite(t, path, text)
	if _, _, err := bags.Continue(t.Context(), dir, bags.Options{}); !errors.Is(err,
		bags.ErrUnsupported) {
		t.Errorf("%v", err)
	}
	if string(contents(t, path)) != string(text) {
		t.Error("it is another")
	}
}
