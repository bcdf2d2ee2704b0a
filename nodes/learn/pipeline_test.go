package learn_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stripswm/models/bundle"
	"stripswm/models/networks"
	"stripswm/models/operators"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/vision"
	"stripswm/nodes/learn"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/record"
)

// transitions of the recording that the tests share.
const transitions = 120

// recording is a policy through BlocksWorld, recorded once.
var recording string

func TestMain(m *testing.M) {
	dir := must(os.MkdirTemp("", "learn-*"))
	recording = filepath.Join(dir, "bag")
	recorded(blocks(), recording, transitions, sim.Balanced, 2)
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

func blocks() *sim.World { return must(sim.New("blocksworld")) }

// letterbox is how images are loaded.
var letterbox = learn.Frame{Side: 64, Fit: pixels.Letterbox}

// recorded records a world as small images, and returns the path.
func recorded(w *sim.World, bag string, transitions int, p sim.Policy, seed uint64) string {
	must(record.Run(context.Background(), w, bag, record.Options{Transitions: transitions, Policy: p,
		Seed: seed, Size: 64, Quality: 90, Nuisance: 1, Workers: 2}))
	return bag
}

// brief is the small preset with a smaller network, cut short: enough to run every
// stage and to distinguish some states, not to learn.
func brief(steps int) vision.Preset {
	p := vision.Small()
	p.Backbone = networks.Isotropic{Size: 64, Patch: 8, Dim: 8, Depth: 1, Kernel: 7, Expand: 4,
		Reduced: 16, Hidden: 64}
	p.Batch = 16
	p.WorldModel.Steps, p.WorldModel.Evaluate = steps, steps
	p.WorldModel.LearningRate, p.WorldModel.Warmup = 3e-3, 5
	p.Classifier.Epochs, p.Classifier.Steps, p.Classifier.Batch = 1, 1, 16
	return p
}

// TestStagesAlone runs stage 1, then the others on the bundle it left.
func TestStagesAlone(t *testing.T) {
	l := learn.Learner{Bags: []string{recording}, Out: filepath.Join(t.TempDir(), "out"),
		Preset: brief(150), Seed: 1, Threads: 1,
		Operators: operators.Options{Budget: 200 * time.Millisecond}}
	l.Preset.Classifier.LearningRate = 0 // stage 3 stays where it begins
	var nodes []strips.StateID           // as stage 1 found them
	var backbone []float32               // as stage 1 learned it
	for _, c := range []struct {
		stage learn.Stage
		has   []bundle.Role
		lacks []bundle.Role
	}{
		{learn.GraphStage, []bundle.Role{bundle.Graph, bundle.Encoder, bundle.Dynamics,
			learn.BackboneRole}, []bundle.Role{bundle.Model, bundle.Classifier}},
		{learn.OperatorStage, []bundle.Role{bundle.Graph, bundle.Dynamics, bundle.Model},
			[]bundle.Role{bundle.Classifier}},
		{learn.ClassifierStage, []bundle.Role{bundle.Model, bundle.Classifier, learn.BackboneRole}, nil},
		// the old classifier no longer fits
		{learn.OperatorStage, []bundle.Role{bundle.Model}, []bundle.Role{bundle.Classifier}},
	} {
		l.Stage = c.stage
		r, err := l.Run(context.Background())
		if r != nil && r.Recording != nil {
			defer r.Recording.Close()
		}
		if err != nil {
			t.Fatalf("%s: %v", c.stage, err)
		}
		switch c.stage {
		case learn.GraphStage:
			nodes, backbone = r.Nodes, r.World.Backbone()
			if located, err := learn.Locate(t.Context(), r.Bundle, r.Recording); err != nil ||
				!slices.Equal(located, nodes) {
				t.Errorf("the bundle's encoder finds other nodes than stage 1, or none: %v", err)
			}
		case learn.ClassifierStage:
			if !slices.Equal(r.Nodes, nodes) {
				t.Error("stage 3 alone finds other nodes than stage 1")
			}
			if !slices.Equal(r.Classifier.Weights[:len(backbone)], backbone) {
				t.Error("stage 3 alone does not begin with the backbone that stage 1 left")
			}
			curves, err := learn.ReadTraining(r.Bundle)
			if err != nil || len(curves.WorldModel) == 0 || len(curves.Classifier) == 0 ||
				curves.Transitions != transitions {
				t.Errorf("curves %+v, %v", curves, err)
			}
		}
		if s := r.Bundle.Manifest.Simulation; s == nil ||
			*s != (bundle.Simulation{World: "blocksworld", Seed: 2, Policy: "balanced",
				Transitions: transitions}) ||
			r.Bundle.Manifest.Domain != "blocksworld" {
			t.Errorf("after %s the recording was of %v, the domain is %q", c.stage, s,
				r.Bundle.Manifest.Domain)
		}
		if codes := r.Bundle.Manifest.Codes; codes == nil || vision.FSQ(*codes) != l.Preset.FSQ {
			t.Errorf("after %s the codes are %v", c.stage, codes)
		}
		for _, role := range c.has {
			if _, ok := r.Bundle.Part(role); !ok {
				t.Errorf("after %s the bundle lacks its %s", c.stage, role)
			}
		}
		for _, role := range c.lacks {
			if _, ok := r.Bundle.Part(role); ok {
				t.Errorf("after %s the bundle has a %s", c.stage, role)
			}
		}
	}
}

func ExampleLearner() {
	dir := must(os.MkdirTemp("", "learn-*"))
	defer os.RemoveAll(dir)
	l := learn.Learner{Bags: []string{recording}, Out: dir, Preset: brief(10), Stage: learn.GraphStage,
		Actions: 18, Seed: 1, Threads: 1}
	r := must(l.Run(context.Background()))
	defer r.Recording.Close()
	fmt.Println(len(r.Recording.Data.Transitions), "transitions,", r.Graph.NumActions(), "actions")
	// Output: 120 transitions, 18 actions
}

// TestEncoderOfAnotherBundle trains an encoder on half of a recording, and has it see the whole.
func TestEncoderOfAnotherBundle(t *testing.T) {
	half := learn.Learner{Bags: []string{recording}, Out: t.TempDir(), Preset: brief(60), Seed: 1,
		Threads: 1, Actions: 18, ValidationFraction: 0.5}
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
	l := learn.Learner{Bags: []string{recording}, Out: t.TempDir(), Preset: brief(2), Seed: 1,
		Threads: 100000, Stage: learn.GraphStage}
	r := must(l.Run(t.Context()))
	r.Recording.Close()
}
