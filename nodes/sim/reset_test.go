package sim_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"stripswm/nodes/sim"
)

// TestWalkWithResets: a step begins where the one before ended, or it is marked and begins in
// another explored state; each does what the world says; a shorter walk is the beginning of a
// longer one.
func TestRunPolicyWithResets(t *testing.T) {
	w := world(t, "slidingpuzzle")
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64Range(1, 3).Draw(t, "seed")
		policy := rapid.SampledFrom(sim.Policies()).Draw(t, "policy")
		share := rapid.SampledFrom([]float64{0, 0.05, 0.5, 1}).Draw(t, "share")
		n := rapid.IntRange(1, 200).Draw(t, "transitions")
		g, err := sim.Explored(w, seed)
		if err != nil {
			t.Fatal(err)
		}
		trajectory, err := sim.RunPolicyWithResets(w, policy, seed, n, share)
		if err != nil {
			t.Fatal(err)
		}
		at, made := w.Initial(), 0
		steps := slices.Collect(trajectory)
		for i, step := range steps {
			next, ok := w.Apply(step.State, step.Action)
			if step.Reset == (step.State == at) || !g.Has(step.State) || next != step.Next || ok != step.OK {
				t.Fatalf("step %d is %+v, the last one left %d", i, step, at)
			}
			if at = step.Next; ok {
				made++
			}
		}
		if made != n {
			t.Errorf("%d transitions of %d", made, n)
		}
		longer, err := sim.RunPolicyWithResets(w, policy, seed, n+50, share)
		if err != nil {
			t.Fatal(err)
		}
		if whole := slices.Collect(longer); !slices.Equal(whole[:len(steps)], steps) {
			t.Error("a longer trajectory begins differently")
		}
		undisturbed, err := sim.RunPolicy(w, policy, seed, n)
		if err != nil {
			t.Fatal(err)
		}
		calm := slices.Collect(undisturbed)
		first := slices.IndexFunc(steps, func(s sim.Step) bool { return s.Reset })
		if first < 0 {
			first = len(steps)
		}
		if !slices.Equal(calm[:first], steps[:first]) {
			t.Error("before the first reset the policy is another than without any")
		}
	})
}

// TestResetsAreUniform counts where they lead, and how many there are.
func TestResetsAreUniform(t *testing.T) {
	w := world(t, "blocksworld")
	const n, share = 50_000, 0.2
	trajectory, err := sim.RunPolicyWithResets(w, sim.Uniform, 2, n, share)
	if err != nil {
		t.Fatal(err)
	}
	steps, resets, probabilities, led := 0., 0., map[sim.State]float64{}, map[sim.State]float64{}
	at, states := w.Initial(), sim.GroundTruth(w).States()
	for step := range trajectory {
		if steps++; step.Reset {
			resets++
			led[step.State]++
			for _, s := range states {
				if s != at {
					probabilities[s] += 1 / float64(len(states)-1)
				}
			}
		}
		at = step.Next
	}
	if off := math.Abs(resets - share*steps); off > 4*math.Sqrt(share*(1-share)*steps) {
		t.Errorf("%.0f resets before %.0f attempts", resets, steps)
	}
	for _, s := range states {
		if off := math.Abs(led[s] - probabilities[s]); off > 5*math.Sqrt(probabilities[s]) {
			t.Errorf("%.0f resets lead to state %d, expected %.0f", led[s], s, probabilities[s])
		}
	}
}

// TestMoreResets: what is reset at a small share is reset at a larger one.
func TestMoreResets(t *testing.T) {
	w := world(t, "blocksworld")
	reset := func(share float64) (marks []bool) {
		trajectory, err := sim.RunPolicyWithResets(w, sim.Uniform, 3, 1000, share)
		if err != nil {
			t.Fatal(err)
		}
		for step := range trajectory {
			marks = append(marks, step.Reset)
		}
		return marks
	}
	few, many := reset(0.05), reset(0.3)
	for i := range min(len(few), len(many)) {
		if few[i] && !many[i] {
			t.Errorf("attempt %d has a reset before it at 5 %% and none at 30 %%", i)
		}
	}
}

func TestImpossibleResets(t *testing.T) {
	for _, share := range []float64{-0.1, 1.1, math.NaN()} {
		if _, err := sim.RunPolicyWithResets(world(t, "blocksworld"), sim.Uniform, 1, 10,
			share); err == nil {
			t.Errorf("share %g was taken", share)
		}
	}
}
