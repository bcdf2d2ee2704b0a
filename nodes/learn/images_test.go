package learn_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"stripswm/models/identity"
	"stripswm/models/inference"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/vision"
	"stripswm/nodes/learn"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
	"stripswm/nodes/sim/record"
)

// explored has so many skills change a table on which all stays as it is until one does, and learns
// a task graph from what was recorded. In each state it attempts what was attempted least there.
func explored(t testing.TB, world string, changes int,
	p vision.Preset,
) (w *sim.World, visited []sim.State, r *learn.Result) {
	t.Helper()
	w = must(sim.New(world))
	graph := must(sim.Explored(w, 1))
	out := t.TempDir()
	rig := must(record.OpenRig(w, filepath.Join(out, "bag"), record.Options{Seed: 1, Size: 128,
		Quality: 90, Nuisance: 1, Workers: 1}))
	tried := map[sim.State][]int{}
	random := rand.New(rand.NewPCG(1, 1))
	for made, at := 0, w.Initial(); made < changes; {
		if tried[at] == nil {
			tried[at] = make([]int, w.NumActions())
		}
		least := slices.MinFunc(random.Perm(w.NumActions()), func(a, b int) int {
			return cmp.Compare(tried[at][a], tried[at][b])
		})
		tried[at][least]++
		a := strips.ActionID(least + 1)
		next, within := graph.Next(at, a)
		if _, applies := w.Apply(at, a); applies && !within { // it leads beyond what is explored
			continue
		}
		if _, _, _, err := rig.Try(a); err != nil {
			t.Fatal(err)
		}
		if within {
			at = next
			made++
		}
	}
	must(0, rig.Close())
	r = must(learn.Learner{Bags: []string{filepath.Join(out, "bag")}, Out: out, Preset: p, Seed: 1,
		Threads: 2, Actions: w.NumActions(), Labels: sim.ActionNames(w),
		Stage: learn.GraphStage}.Run(t.Context()))
	t.Cleanup(func() { r.Recording.Close() })
	return w, rig.Visited(), r
}

// TestFewScenes learns from sixty changes, so that no more than four scenes of each state were
// seen, on average: its graph has hardly more nodes than there were states. (By variations of what
// a camera does alone it has three times as many.)
func TestFewScenes(t *testing.T) {
	_, visited, r := explored(t, "blocksworld", 60, vision.Auto())
	if nodes, states := r.Graph.NumStates(), len(visited); nodes < states || 2*nodes > 3*states {
		t.Errorf("%d nodes of %d states", nodes, states)
	}
}

// BenchmarkFewScenes says of encoders of few scenes, trained with the losses for such alone, how
// many codes they give new scenes of the states that were visited, in how many pairs of scenes of
// one state both have the same code (recall), and how many pairs with the same code show one state
// (precision).
func BenchmarkFewScenes(b *testing.B) {
	for _, c := range []struct {
		world   string
		changes int
	}{{"blocksworld", 60}, {"dinnertablereal", 80}} {
		b.Run(fmt.Sprint(c.world, "/", c.changes), func(b *testing.B) {
			for b.Loop() {
				p := vision.Auto()
				p.Objective, p.FallbackFew, p.FallbackSmall, p.FallbackForesight = p.FallbackFew, nil, nil, nil
				p.WorldModel.Steps, p.WorldModel.Stable = vision.Small().WorldModel.Steps, 0
				w, visited, r := explored(b, c.world, c.changes, p)
				states, codes := newScenes(b, w, visited, r)
				b.ReportMetric(float64(len(visited)), "states")
				reportPairs(b, states, codes)
			}
		})
	}
}

// newScenes are several of each state, and the codes of their images.
func newScenes(b *testing.B, w *sim.World, visited []sim.State,
	r *learn.Result,
) (states []sim.State, codes []identity.Code) {
	coder := must(vision.OpenCoder(r.Bundle, inference.Options{}))
	defer coder.Close()
	cam := camera.New(128, 128)
	for i, s := range visited {
		for k := range 8 {
			img := must(cam.Render(w, s, record.Seed(2, uint64(i), k)))
			code := must(coder.Code(pixels.FromImage(img)))
			states, codes = append(states, s), append(codes, code)
		}
	}
	return states, codes
}

func reportPairs(b *testing.B, states []sim.State, codes []identity.Code) {
	distinct := map[identity.Code]bool{}
	var same, aliased, both float64
	for i, code := range codes {
		distinct[code] = true
		for j := range i {
			s, c := states[i] == states[j], code == codes[j]
			if s {
				same++
			}
			if c {
				aliased++
			}
			if s && c {
				both++
			}
		}
	}
	b.ReportMetric(float64(len(distinct)), "codes")
	b.ReportMetric(both/same, "recall")
	b.ReportMetric(both/max(aliased, 1), "precision")
}
