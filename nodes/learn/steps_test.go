package learn_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"stripswm/models/vision"
	"stripswm/nodes/learn"
)

func TestAtMost(t *testing.T) {
	with := func(world, classifier, epochs, patience int) vision.Preset {
		p := vision.Small()
		p.WorldModel.Steps, p.Classifier.Steps = world, classifier
		p.Classifier.Epochs, p.Classifier.Patience = epochs, patience
		return p
	}
	whole := vision.Small()
	for steps, want := range map[int]vision.Preset{
		0:     whole,
		30:    with(30, 30, 0, 1),
		600:   with(600, whole.Classifier.Steps, whole.Classifier.Epochs, whole.Classifier.Patience),
		10000: with(10000, whole.Classifier.Steps, whole.Classifier.Epochs, whole.Classifier.Patience),
	} {
		if diff := cmp.Diff(want, learn.AtMost(vision.Small(), steps)); diff != "" {
			t.Errorf("%d steps: %s", steps, diff)
		}
	}
}

// TestThreadsOfNoMachine asks for more threads than any machine has processors: ONNX Runtime, which
// would start them all, is not to be told.
func TestThreadsOfNoMachine(t *testing.T) {
	l := learn.Learner{Bag: recording, Out: t.TempDir(), Preset: brief(2), Seed: 1, Threads: 100000,
		Stage: learn.GraphStage}
	r := must(l.Run(t.Context()))
	r.Recording.Close()
}
