package learn_test

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"stripswm/models/bundle"
	"stripswm/nodes/learn"
)

// TestEncoderOfAnotherBundle trains an encoder on half of a recording, and has it see the whole.
func TestEncoderOfAnotherBundle(t *testing.T) {
	half := learn.Learner{Bag: recording, Out: t.TempDir(), Preset: brief(60), Seed: 1, Threads: 1,
		Actions: 18, ValidationFraction: 0.5}
	first := must(half.Run(t.Context()))
	defer first.Recording.Close()
	whole := half
	whole.Out, whole.ValidationFraction, whole.Encoder = t.TempDir(), 0, learn.BundleDir(half.Out)
	grown := must(whole.Run(t.Context()))
	defer grown.Recording.Close()
	for _, role := range []bundle.Role{bundle.Encoder, bundle.Dynamics, learn.BackboneRole} {
		a, errA := first.Bundle.Read(role)
		b, errB := grown.Bundle.Read(role)
		if err := errors.Join(errA, errB); err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s is another, %v", role, err)
		}
	}
	training, err := learn.ReadTraining(grown.Bundle)
	if err != nil || grown.World != nil || training.Transitions != transitions ||
		len(training.WorldModel) == 0 || training.HeldOut != 0 {
		t.Errorf("learned of %+v, %v", training, err)
	}
	seen := 0
	for _, e := range grown.Graph.Edges {
		seen += e.Support
	}
	if seen <= len(first.Recording.Data.Transitions) || grown.Operators == nil ||
		grown.Classifier == nil {
		t.Errorf("a graph of %d transitions, operators %v, classifier %v", seen, grown.Operators,
			grown.Classifier)
	}
	b, err := bundle.Open(learn.BundleDir(whole.Out))
	if err != nil || *b.Manifest.Codes != *first.Bundle.Manifest.Codes ||
		b.Manifest.Inputs[0] != first.Bundle.Manifest.Inputs[0] {
		t.Errorf("%+v, %v", b, err)
	}

	for name, c := range map[string]struct {
		change func(*learn.Learner)
		want   string
	}{
		"no bundle": {func(l *learn.Learner) { l.Encoder = t.TempDir() },
			"take the encoder of another bundle"},
		"other actions": {func(l *learn.Learner) { l.Actions = 20 },
			"was learned of 18 actions, the recording has 20"},
	} {
		t.Run(name, func(t *testing.T) {
			wrong := whole
			wrong.Out = t.TempDir()
			c.change(&wrong)
			r, err := wrong.Run(t.Context())
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if r.Recording != nil {
				r.Recording.Close()
			}
			if found, err := filepath.Glob(filepath.Join(wrong.Out, "*")); len(found) > 0 || err != nil &&
				!errors.Is(err, fs.ErrNotExist) {
				t.Errorf("left %v, %v", found, err)
			}
		})
	}
}
