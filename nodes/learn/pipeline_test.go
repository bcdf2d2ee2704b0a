package learn_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"stripswm/models/bundle"
	"stripswm/models/dataset"
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

func TestLoadKeepsOrderAndOutcomes(t *testing.T) {
	r := must(learn.Load(t.Context(), recording, letterbox, 18, nil))
	defer r.Close()
	succeeded, refused := 0, 0
	for step := range must(sim.RunPolicy(blocks(), sim.Balanced, 2, transitions, sim.Faults{})) {
		list, n := &r.Data.Transitions, &succeeded
		if !step.OK {
			list, n = &r.Data.Refused, &refused
		}
		if got := (*list)[*n].Action; got != step.Action {
			t.Fatalf("attempt %d is action %d, want %d", succeeded+refused, got, step.Action)
		}
		*n++
	}
	if succeeded != len(r.Data.Transitions) || refused != len(r.Data.Refused) {
		t.Errorf("%d and %d attempts", len(r.Data.Transitions), len(r.Data.Refused))
	}
	if last, err := r.Image(r.Data.Images() - 1); err != nil || last.Width != 64 {
		t.Errorf("the last image: %dx%d, %v", last.Width, last.Height, err)
	}
	if _, err := learn.Load(t.Context(), recording, letterbox, 3, nil); !errors.Is(err,
		dataset.ErrData) {
		t.Errorf("more actions than L: %v", err)
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := learn.Load(canceled, recording, letterbox, 18, nil); !errors.Is(err,
		context.Canceled) {
		t.Errorf("a canceled load: %v", err)
	}
}

// TestSplit takes the end of a recording out: every attempt is in one part, with its own
// images, and but for the one at the cut none is lost.
func TestSplit(t *testing.T) {
	r := must(learn.Load(t.Context(), recording, letterbox, 18, nil))
	defer r.Close()
	for _, share := range []float64{0, 0.2, 0.5, 0.9} {
		kept, held := r.Split(share)
		if n := int(share * float64(len(r.Data.Transitions))); len(held.Data.Transitions) != n ||
			len(kept.Data.Transitions) != len(r.Data.Transitions)-n {
			t.Errorf("%g: %d and %d transitions of %d", share, len(kept.Data.Transitions),
				len(held.Data.Transitions), len(r.Data.Transitions))
		}
		if len(kept.Data.Refused)+len(held.Data.Refused) != len(r.Data.Refused) ||
			kept.Data.Images()+held.Data.Images() != r.Data.Images() {
			t.Errorf("%g: %d and %d refused attempts, %d and %d images", share, len(kept.Data.Refused),
				len(held.Data.Refused), kept.Data.Images(), held.Data.Images())
		}
		for i, part := range [][]dataset.Transition{kept.Data.Transitions, held.Data.Transitions} {
			from, whole := []*learn.Recording{kept, held}[i], r.Data.Transitions
			if i == 1 {
				whole = whole[len(kept.Data.Transitions):]
			}
			for k, got := range part {
				if want := whole[k]; got.Action != want.Action || got.Follows != (want.Follows && k > 0) ||
					!slices.Equal(from.Data.Image(got.After), r.Data.Image(want.After)) {
					t.Fatalf("%g: attempt %d of part %d is %+v, want %+v", share, k, i, got, want)
				}
				if k%50 == 0 {
					one, err := from.Image(got.Before)
					two, err2 := r.Image(whole[k].Before)
					if err != nil || err2 != nil || !slices.Equal(one.Pix, two.Pix) {
						t.Fatalf("%g: attempt %d of part %d has another image: %v, %v", share, k, i, err, err2)
					}
				}
			}
		}
	}
}

// TestStagesAlone runs stage 1, then the others on the bundle it left.
func TestStagesAlone(t *testing.T) {
	l := learn.Learner{Bag: recording, Out: filepath.Join(t.TempDir(), "out"), Preset: brief(150),
		Seed: 1, Threads: 1,
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
	l := learn.Learner{Bag: recording, Out: dir, Preset: brief(10), Stage: learn.GraphStage,
		Actions: 18, Seed: 1, Threads: 1}
	r := must(l.Run(context.Background()))
	defer r.Recording.Close()
	fmt.Println(len(r.Recording.Data.Transitions), "transitions,", r.Graph.NumActions(), "actions")
	// Output: 120 transitions, 18 actions
}
