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
		trajectory, err := sim.RunPolicy(w, policy, seed, n, sim.Faults{Resets: share})
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
		longer, err := sim.RunPolicy(w, policy, seed, n+50, sim.Faults{Resets: share})
		if err != nil {
			t.Fatal(err)
		}
		if whole := slices.Collect(longer); !slices.Equal(whole[:len(steps)], steps) {
			t.Error("a longer trajectory begins differently")
		}
		undisturbed, err := sim.RunPolicy(w, policy, seed, n, sim.Faults{})
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
	trajectory, err := sim.RunPolicy(w, sim.Uniform, 2, n, sim.Faults{Resets: share})
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
		trajectory, err := sim.RunPolicy(w, sim.Uniform, 3, 1000, sim.Faults{Resets: share})
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

// TestFailures counts attempts that fail, and those of them that changed the scene.
func TestFailures(t *testing.T) {
	w := world(t, "blocksworld")
	const n, share = 20_000, 0.1
	trajectory, err := sim.RunPolicy(w, sim.Uniform, 2, n, sim.Faults{Failures: share})
	if err != nil {
		t.Fatal(err)
	}
	succeeded, failed, changed, at := 0., 0., 0., w.Initial()
	for i := range trajectory {
		next, applies := w.Apply(i.State, i.Action)
		switch {
		case i.State != at || i.OK && i.Failed || applies != (i.OK || i.Failed):
			t.Fatalf("%+v in state %d, applies %t", i, at, applies)
		case i.OK:
			succeeded++
		case i.Failed && i.Next != i.State:
			changed++
			fallthrough
		case i.Failed:
			failed++
		}
		if i.Next != next && i.Next != i.State {
			t.Fatalf("%+v leads to %d", i, next)
		}
		at = i.Next
	}
	all := succeeded + failed
	if off := math.Abs(failed - share*all); succeeded != n || off > 4*math.Sqrt(share*(1-share)*all) {
		t.Errorf("%.0f of %.0f failed", failed, all)
	}
	if off := math.Abs(changed - failed/2); off > 2*math.Sqrt(failed) {
		t.Errorf("%.0f of %.0f failed ones changed the scene", changed, failed)
	}
}

func TestImpossibleFaults(t *testing.T) {
	for _, f := range []sim.Faults{{Resets: -0.1}, {Resets: 1.1}, {Resets: math.NaN()},
		{Failures: -0.1}, {Failures: 1}, {Failures: math.NaN()}} {
		if _, err := sim.RunPolicy(world(t, "blocksworld"), sim.Uniform, 1, 10,
			f); err == nil {
			t.Errorf("%+v was taken", f)
		}
	}
}

// Where no skill applies any more a recording ends, unless somebody resets the scene now and then.
func TestDeadEnds(t *testing.T) {
	w := sim.Whole(world(t, "paint"))
	for share, enough := range map[float64]bool{0: false, 0.02: true} {
		made := 0
		steps, err := sim.RunPolicy(w, sim.Balanced, 1, 1000, sim.Faults{Resets: share})
		if err != nil {
			t.Fatal(err)
		}
		for s := range steps {
			made += map[bool]int{true: 1}[s.OK]
		}
		if made >= 1000 != enough {
			t.Errorf("resets of %g: %d of 1000 transitions", share, made)
		}
	}
}
