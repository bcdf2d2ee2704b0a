package learn_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"stripswm/models/explore"
	"stripswm/models/vision"
	"stripswm/nodes/learn"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/record"
)

// TestFewScenes learns from sixty changes of a table on which all stays as it was put, so that no more than four scenes of
// each state were seen, on average: its graph has hardly more nodes than there were states. (By variations of what a camera does
// alone it has three times as many.)
func TestFewScenes(t *testing.T) {
	const changes = 60
	w, err := sim.New("blocksworld")
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	rig, err := record.OpenRig(w, filepath.Join(out, "bag"), record.Options{Seed: 1, Size: 128, Quality: 90, Nuisance: 1, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	chooser, err := explore.New(sim.ActionNames(w), explore.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for made, at := 0, w.Initial(); made < changes; {
		choice, err := chooser.Next(t.Context(), fmt.Sprint(at))
		if err != nil {
			t.Fatal(err)
		}
		_, _, ok, err := rig.Try(choice.Action)
		if err != nil {
			t.Fatal(err)
		}
		from := at
		if ok {
			at, _ = w.Apply(at, choice.Action)
			made++
		}
		if err := chooser.Observe(t.Context(), explore.Attempt{At: fmt.Sprint(from), Action: choice.Action, Refused: !ok, To: fmt.Sprint(at)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := rig.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := learn.Learner{Bag: filepath.Join(out, "bag"), Out: out, Preset: vision.Auto(), Seed: 1, Threads: 2, Actions: w.NumActions(), Labels: sim.ActionNames(w), Stage: learn.GraphStage}.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Recording.Close()
	if nodes, states := r.Graph.NumStates(), len(rig.Visited()); nodes < states || 2*nodes > 3*states {
		t.Errorf("%d nodes of %d states", nodes, states)
	}
}
