package learn_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stripswm/models/bundle"
	"stripswm/models/vision"
	"stripswm/nodes/learn"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/record"
)

// recordBlocks records BlocksWorld and returns the bag.
func recordBlocks(dir string, transitions int) (string, error) {
	world, err := sim.New("blocksworld")
	if err != nil {
		return "", err
	}
	bag := filepath.Join(dir, "bag")
	_, err = record.Run(context.Background(), world, bag, record.Options{
		Transitions: transitions, Seed: 2, Size: 64, Quality: 90, Nuisance: 1, Workers: 2})
	return bag, err
}

// brief is the small preset cut short: enough to run every stage, not to learn.
func brief(steps int) vision.Preset {
	p := vision.Small()
	p.Batch = 32
	p.WorldModel.Steps, p.WorldModel.Evaluate = steps, steps
	p.Classifier.Epochs = 1
	return p
}

func TestLoadKeepsOrderAndOutcomes(t *testing.T) {
	bag, err := recordBlocks(t.TempDir(), 50)
	if err != nil {
		t.Fatal(err)
	}
	r, err := learn.Load(context.Background(), bag, 64, 18, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	world, _ := sim.New("blocksworld")
	walk, err := sim.Walk(world, 2, 50)
	if err != nil {
		t.Fatal(err)
	}
	succeeded, refused := 0, 0
	for step := range walk {
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
	if last, err := r.Picture(r.Data.Images() - 1); err != nil || last.Width != 64 {
		t.Errorf("the last picture: %dx%d, %v", last.Width, last.Height, err)
	}
	if _, err := learn.Load(context.Background(), bag, 64, 3, nil); !errors.Is(err, vision.ErrData) {
		t.Errorf("more actions than L: %v", err)
	}
	if _, err := learn.Load(context.Background(), bag, 128, 18, nil); err == nil || !strings.Contains(err.Error(), "64x64") {
		t.Errorf("pictures smaller than the network's: %v", err)
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := learn.Load(canceled, bag, 64, 18, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a canceled load: %v", err)
	}
}

// TestStagesAlone runs stage 1, then the others on the bundle it left.
func TestStagesAlone(t *testing.T) {
	dir := t.TempDir()
	bag, err := recordBlocks(dir, 120)
	if err != nil {
		t.Fatal(err)
	}
	l := learn.Learner{Bag: bag, Out: filepath.Join(dir, "out"), Preset: brief(60), Seed: 1, Threads: 1}
	for _, c := range []struct {
		stage learn.Stage
		has   []bundle.Role
		lacks []bundle.Role
	}{
		{learn.GraphStage, []bundle.Role{bundle.Graph, bundle.Encoder, bundle.Dynamics}, []bundle.Role{bundle.Model, bundle.Classifier}},
		{learn.OperatorStage, []bundle.Role{bundle.Graph, bundle.Dynamics, bundle.Model}, []bundle.Role{bundle.Classifier}},
		{learn.ClassifierStage, []bundle.Role{bundle.Model, bundle.Classifier}, nil},
		{learn.OperatorStage, []bundle.Role{bundle.Model}, []bundle.Role{bundle.Classifier}}, // the old classifier no longer fits
	} {
		l.Stage = c.stage
		r, err := l.Run(context.Background())
		if r != nil && r.Recording != nil {
			r.Recording.Close()
		}
		if err != nil {
			t.Fatalf("%s: %v", c.stage, err)
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
	dir, err := os.MkdirTemp("", "pipeline-*")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	bag, err := recordBlocks(dir, 60)
	if err != nil {
		fmt.Println(err)
		return
	}
	l := learn.Learner{Bag: bag, Out: filepath.Join(dir, "out"), Preset: brief(10), Stage: learn.GraphStage, Actions: 18, Seed: 1, Threads: 1}
	r, err := l.Run(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Recording.Close()
	fmt.Println(len(r.Recording.Data.Transitions), "transitions,", r.Graph.NumActions(), "actions")
	// Output: 60 transitions, 18 actions
}
