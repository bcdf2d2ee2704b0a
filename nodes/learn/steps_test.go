package learn_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"stripswm/models/vision"
	"stripswm/nodes/learn"
)

func TestAtMost(t *testing.T) {
	with := func(world, classifier, epochs int) vision.Preset {
		p := vision.Small()
		p.WorldModel.Steps, p.Classifier.Steps, p.Classifier.Epochs = world, classifier, epochs
		return p
	}
	whole := vision.Small()
	for steps, want := range map[int]vision.Preset{
		0:     whole,
		30:    with(30, 30, 0),
		600:   with(600, whole.Classifier.Steps, whole.Classifier.Epochs),
		10000: with(10000, whole.Classifier.Steps, whole.Classifier.Epochs),
	} {
		if diff := cmp.Diff(want, learn.AtMost(vision.Small(), steps)); diff != "" {
			t.Errorf("%d steps: %s", steps, diff)
		}
	}
}
