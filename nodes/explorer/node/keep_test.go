package node

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestKeepsTheBest has one bundle after another be the best: the last alone is kept, whole.
func TestKeepsTheBest(t *testing.T) {
	b, dir := newTable(t), t.TempDir()
	best := filepath.Join(dir, "best")
	e := b.explorer("actions:=3", "best:="+best)
	for i, name := range []string{"graph.json", "model.json"} {
		round := filepath.Join(dir, name+"-training round")
		must(0, os.Mkdir(round, 0o755))
		must(0, os.WriteFile(filepath.Join(round, name), []byte(name), 0o644))
		e.learner.dir = round
		if err := e.keep(i); err != nil {
			t.Fatal(err)
		}
		files := must(os.ReadDir(best))
		if len(files) != 1 || files[0].Name() != name {
			t.Errorf("kept %v, want %s alone", files, name)
		}
	}
	e.learner.dir = filepath.Join(dir, "gone")
	if err := e.keep(9); err == nil || !strings.Contains(err.Error(), "parameter best") {
		t.Errorf("a bundle that is gone: %v", err)
	}
	if _, err := os.Stat(filepath.Join(best, "model.json")); err != nil {
		t.Errorf("the best before is gone, too: %v", err)
	}
}

// TestTheBestLearnsWhatCameSince has each training round but the first see no better: then all but
// the best's encoder is learned.
func TestTheBestLearnsWhatCameSince(t *testing.T) {
	b, dir := newTable(t), t.TempDir()
	t.Chdir(dir)
	must(0, os.Mkdir("bundle", 0o755))
	e := b.explorer("actions:=3", "best:=best")
	if s := b.end(b.run(e)); s.Accepted != s.Attempts {
		t.Errorf("%+v", s)
	}
	best := filepath.Join(dir, "best") // the learner may run elsewhere
	if n := len(b.encoders); n < 3 || b.encoders[0] != "" || b.encoders[n-2] != "" ||
		b.encoders[n-1] != best {
		t.Errorf("learned with the encoders of %q", b.encoders)
	}
}

// TestKeepsOtherFolders has the parameter best name a folder that is somebody else's.
func TestKeepsOtherFolders(t *testing.T) {
	b, dir := newTable(t), t.TempDir()
	for _, name := range []string{"best", "best.next"} {
		must(0, os.Mkdir(filepath.Join(dir, name), 0o755))
		must(0, os.WriteFile(filepath.Join(dir, name, "thesis.tex"), nil, 0o644))
	}
	round := filepath.Join(dir, "training round")
	must(0, os.Mkdir(round, 0o755))
	e := b.explorer("actions:=3", "best:="+filepath.Join(dir, "best"))
	e.learner.dir = round
	if err := e.keep(1); err == nil || !strings.Contains(err.Error(), "will not replace") {
		t.Errorf("%v", err)
	}
	for _, name := range []string{"best", "best.next"} {
		must(os.Stat(filepath.Join(dir, name, "thesis.tex")))
	}
}
