package bags_test

import (
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
	if _, _, err := bags.Continue(t.Context(), dir, bags.Options{}); !errors.Is(err, bags.ErrInUse) {
		t.Errorf("continued while it is being made: %v", err)
	}
	killed := filepath.Join(t.TempDir(), "run")
	if err := os.CopyFS(killed, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	dir = killed
	if kept, err := bags.Recover(t.Context(), dir); err != nil || kept.Transitions != 3 ||
		kept.Amended != 1 || kept.Class != bags.Intact || len(kept.Notes) != 1 {
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

// TestContinueAfterAKillAtEveryInstant cuts a recording off where a kill could: what had been
// acknowledged is there afterwards, what was found is kept, and nothing keeps the recorder from
// going on.
func TestContinueAfterAKillAtEveryInstant(t *testing.T) {
	const n = 3
	_, data, sizes := acknowledgedAt(t, bags.Options{}, n)
	for cut := 0; cut <= len(data); cut += 61 {
		dir := damaged(t, "", data[:cut], false)
		acknowledged := 0
		for acknowledged < n && sizes[acknowledged] <= int64(cut) {
			acknowledged++
		}
		w, report, err := bags.Continue(t.Context(), dir, bags.Options{})
		if errors.Is(err, fs.ErrNotExist) && acknowledged == 0 {
			report = &bags.Report{}
			w, err = bags.Create(dir, bags.Options{})
		}
		if err != nil || report.Transitions < acknowledged || report.Transitions > acknowledged+1 {
			t.Fatalf("%d of %d bytes, %d acknowledged: %+v, %v", cut, len(data), acknowledged, report, err)
		}
		if got := contents(t, dataFile(dir+".damaged")); len(got) != cut {
			t.Errorf("%d bytes are kept of the %d that were found", len(got), cut)
		}
		if err := errors.Join(sees(8)(w), does(9, 8, 8)(w), w.Close()); err != nil {
			t.Fatal(err)
		}
		got, err := attempts(t, dir)
		if err != nil || len(got) != report.Transitions+1 {
			t.Errorf("%d bytes: read %v, %v", cut, got, err)
		}
	}
}

// TestRecover has recordings without one that could be read.
func TestRecover(t *testing.T) {
	whole := killedRecording(t)
	data := contents(t, dataFile(whole))
	data[len(data)-len(data)/8] ^= 0xff
	for name, c := range map[string]struct {
		files map[string][]byte
		want  error
		says  string
		free  bool // the path
	}{
		"killed before its reserve": {nil, fs.ErrNotExist, "", true},
		"killed before its data": {map[string][]byte{".reserve": make([]byte, 99)}, fs.ErrNotExist, "",
			true},
		"killed before its header": {map[string][]byte{"run_0.mcap": nil}, fs.ErrNotExist, "", true},
		"somebody's folder":        {map[string][]byte{"thesis.tex": nil}, bags.ErrNoBag, "", false},
		"damaged in the middle": {map[string][]byte{"run_0.mcap": data}, bags.ErrDamaged,
			"stripswm check --repair", false},
	} {
		dir := filepath.Join(t.TempDir(), "run")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for file, data := range c.files {
			rewrite(t, filepath.Join(dir, file), data)
		}
		_, err := bags.Recover(t.Context(), dir)
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
		kept := dir
		if _, err := os.Stat(dir); c.free != errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the path: %v", name, err)
		}
		if c.free {
			kept += ".damaged"
		}
		for file, data := range c.files {
			if got := contents(t, filepath.Join(kept, file)); string(got) != string(data) {
				t.Errorf("%s: %s is another", name, file)
			}
		}
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
