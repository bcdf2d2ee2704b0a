package learn_test

import (
	"image"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"stripswm/bags"
	"stripswm/models/pixels"
	"stripswm/msgs"
	"stripswm/nodes/learn"
)

// TestLoadKnowsWhatFollows records attempts of each outcome: a refused one leaves
// the scene as it was, after one without a known result anything may be found.
func TestLoadKnowsWhatFollows(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "bag")
	bag, err := bags.Create(dir, bags.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const topic = "/camera/image_raw/compressed"
	stamp := time.Unix(100, 0)
	photograph := func() msgs.Time {
		stamp = stamp.Add(time.Second)
		at := msgs.TimeFrom(stamp)
		img, err := msgs.NewJPEG(msgs.Header{Stamp: at}, image.NewRGBA(image.Rect(0, 0, 64, 64)), 90)
		if err != nil {
			t.Fatal(err)
		}
		if err := bag.WriteImage(topic, img); err != nil {
			t.Fatal(err)
		}
		return at
	}
	const succeeded, refused, failed = uint8(msgs.TransitionSucceeded), uint8(
		msgs.TransitionRefused), uint8(msgs.TransitionFailed)
	for _, outcome := range []uint8{succeeded, succeeded, refused, succeeded, failed, succeeded,
		failed, refused, succeeded, succeeded} {
		before, after := photograph(), photograph()
		err := bag.WriteTransition(&msgs.Transition{Header: msgs.Header{Stamp: after}, ImageTopic: topic,
			Before: before, Action: 1, After: after, Outcome: outcome})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := bag.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := learn.Load(t.Context(), dir, learn.Frame{Side: 64, Fit: pixels.Letterbox}, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
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
