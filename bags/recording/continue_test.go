package recording_test

import (
	"errors"
	"slices"
	"strings"
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

// TestContinueWhatIsNotWhole refuses, and says what to do.
func TestContinueWhatIsNotWhole(t *testing.T) {
	d := newDesk(t, nil)
	dir := d.start() // and killed
	d.skill(1, msgs.SkillStatusSucceeded)
	again := newDesk(t, func(o *recording.Options) { o.Continue, o.Directory = true, dir })
	if _, err := again.recorder.Start("", again.now); !errors.Is(err, bags.ErrMetadata) ||
		!strings.Contains(err.Error(), "stripswm check --repair") {
		t.Errorf("error %v", err)
	}
	d.stop()
}
