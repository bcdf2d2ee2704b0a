package learn_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"stripswm/models/bundle"
	"stripswm/models/networks"
	"stripswm/nodes/learn"
	"stripswm/nodes/sim"
)

// TestAutoTakesTheGraph: the attempts are evidence for facts, but a classifier that learns
// nothing does not read them. What was learned of facts is not in the bundle.
func TestAutoTakesTheGraph(t *testing.T) {
	bag := recorded(blocks(), filepath.Join(t.TempDir(), "bag"), 560, sim.Uniform, 1)
	l := learn.Learner{Bags: []string{bag}, Out: t.TempDir(), Preset: brief(200), Facts: brief(60),
		Seed: 1, Threads: 1, Method: learn.Auto, Stage: learn.GraphStage}
	l.Facts.Classifier.LearningRate = 0
	whole := l.Facts.Backbone.(networks.Isotropic)
	whole.Size = 88 // has no whole thumbnail, so that a network has to read it
	l.Facts.Backbone = whole
	r, err := l.Run(context.Background())
	if r != nil && r.Recording != nil {
		defer r.Recording.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	c := r.Choice
	if c == nil || c.Method != learn.Graph || len(c.Reasons) != 5 || c.Why != c.Reasons[3].String() {
		t.Fatalf("choice %+v, want the graph because of images held out", c)
	}
	for _, reason := range slices.Concat(c.Reasons[:3], c.Reasons[4:]) {
		if reason.Value > reason.Limit {
			t.Errorf("%s counts in the attempts of BlocksWorld", reason)
		}
	}
	if r.Traces != nil || r.Graph == nil {
		t.Errorf("facts %v, graph %v; want a graph alone", r.Traces, r.Graph)
	}
	for role, want := range map[bundle.Role]bool{bundle.Graph: true, bundle.Reference: true,
		bundle.Facts: false, bundle.Model: false} {
		if _, err := r.Bundle.Read(role); errors.Is(err, bundle.ErrNoPart) == want {
			t.Errorf("part %s of the bundle: %v, want it: %v", role, err, want)
		}
	}
	if s := learn.Summarize(l, r); s.Choice != c || s.Preset != l.Preset.Name ||
		s.Seconds["decide"] == 0 {
		t.Errorf("summary %+v", s)
	}
	// An encoder that hardly learned makes one node of many states.
	l.Out, l.Preset.WorldModel.Steps, l.Preset.WorldModel.Evaluate = t.TempDir(), 5, 5
	r, err = l.Run(context.Background())
	if r != nil && r.Recording != nil {
		defer r.Recording.Close()
	}
	if !errors.Is(err, learn.ErrUnexplained) {
		t.Fatalf("%v, want that neither explains the recording", err)
	}
	if _, err := bundle.Open(learn.BundleDir(l.Out)); err == nil {
		t.Error("a graph that explains nothing is in a bundle")
	}
}
