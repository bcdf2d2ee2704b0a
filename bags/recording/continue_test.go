package recording_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"stripswm/bags"
	"stripswm/bags/recording"
	"stripswm/msgs"
)

// TestContinue stops a recorder and starts another in the same directory: it goes on in the next
// file, and the next attempt does not follow the last.
func TestContinue(t *testing.T) {
	var dir string
	run := func(actions ...uint32) recording.Report {
		d := newDesk(t, func(o *recording.Options) {
			if o.Continue, o.Names = true, []string{"a", "b", "c", "d"}; dir != "" {
				o.Directory = dir
			}
		})
		dir = d.start()
		for _, a := range actions {
			d.skill(a, msgs.SkillStatusSucceeded)
		}
		if len(actions) == 1 { // the index is that in the bag
			if i, err := d.recorder.MarkFailed("not so"); err != nil || i != 2 {
				t.Errorf("marked transition %d, %v", i, err)
			}
		}
		return d.stop()
	}
	if r := run(1, 2); r.Files != 1 || r.Transitions() != 2 {
		t.Errorf("at first %+v", r)
	}
	if r := run(3); r.Files != 2 || r.Transitions() != 1 || r.Directory != dir {
		t.Errorf("then %+v", r)
	}
	report, err := bags.Check(t.Context(), dir, nil, nil)
	if err != nil || report.Class != bags.Intact || report.Transitions != 3 || report.Failed != 1 {
		t.Errorf("%s, %v", report, err)
	}
	if got := actions(t, dir); !slices.Equal(got, []uint32{1, 2, 3}) {
		t.Errorf("actions %v", got)
	}
	r, err := bags.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for tr, err := range r.Transitions(t.Context()) {
		if err != nil || tr.Reset != (tr.Index == 2) {
			t.Errorf("transition %d: reset %t, %v", tr.Index, tr.Reset, err)
		}
	}
	names := 0
	for range r.Messages(t.Context(), bags.NamesTopic) {
		names++
	}
	if names != 1 {
		t.Errorf("the names are there %d times", names)
	}
}

// TestContinueAfterAKill goes on with what a killed recorder left, and leaves one alone that is
// being made.
func TestContinueAfterAKill(t *testing.T) {
	d := newDesk(t, nil)
	dir := d.start()
	d.skill(1, msgs.SkillStatusSucceeded)
	again := newDesk(t, func(o *recording.Options) { o.Continue, o.Directory = true, dir })
	if _, err := again.recorder.Start("", again.now); !errors.Is(err, bags.ErrInUse) {
		t.Errorf("while it is being made: %v", err)
	}
	for name, files := range map[string]string{"after an attempt": dir, "before all": t.TempDir()} {
		killed := filepath.Join(t.TempDir(), "killed")
		if err := os.CopyFS(killed, os.DirFS(files)); err != nil {
			t.Fatal(err)
		}
		again := newDesk(t, func(o *recording.Options) { o.Continue, o.Directory = true, killed })
		again.start()
		again.skill(2, msgs.SkillStatusSucceeded)
		again.stop()
		want := []uint32{1, 2}
		if files != dir {
			want = want[1:]
		}
		if got := actions(t, killed); !slices.Equal(got, want) {
			t.Errorf("%s: actions %v, want %v", name, got, want)
		}
	}
	d.stop()
}
