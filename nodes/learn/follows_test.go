package learn_test

import (
	"image"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"stripswm/bags"
	"stripswm/msgs"
	"stripswm/nodes/learn"
)

// TestLoadKnowsWhatFollows records attempts of each outcome: a refused one leaves
// the scene as it was, after one without a known result anything may be found.
func TestLoadKnowsWhatFollows(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "bag")
	bag := must(bags.Create(dir, bags.Options{}))
	const topic = "/camera/image_raw/compressed"
	stamp := time.Unix(100, 0)
	photograph := func() msgs.Time {
		stamp = stamp.Add(time.Second)
		at := msgs.TimeFrom(stamp)
		img := must(msgs.NewJPEG(msgs.Header{Stamp: at}, image.NewRGBA(image.Rect(0, 0, 64, 64)), 90))
		must(0, bag.WriteCompressedImage(topic, img))
		return at
	}
	const succeeded, refused, failed = msgs.TransitionSucceeded, msgs.TransitionRefused,
		msgs.TransitionFailed
	for _, outcome := range []uint8{succeeded, succeeded, refused, succeeded, failed, succeeded,
		failed, refused, succeeded, succeeded} {
		tr := &msgs.Transition{ImageTopic: topic, Before: photograph(), Action: 1, After: photograph(),
			Outcome: outcome}
		tr.Header.Stamp = tr.After
		must(0, bag.WriteTransition(tr))
	}
	must(0, bag.Close())
	r := must(learn.Load(t.Context(), dir, letterbox, 0, nil))
	defer r.Close()
	var follows, resumes []bool
	for _, transition := range r.Data.Transitions {
		follows = append(follows, transition.Follows)
		resumes = append(resumes, transition.Resumes)
	}
	if want := []bool{false, true, true, false, false, true}; !slices.Equal(follows, want) {
		t.Errorf("follows %v, want %v", follows, want)
	}
	if want := []bool{false, false, false, true, true, false}; !slices.Equal(resumes, want) ||
		len(r.Data.Failed) != 2 {
		t.Errorf("resumes %v, want %v; %d failed", resumes, want, len(r.Data.Failed))
	}
}
