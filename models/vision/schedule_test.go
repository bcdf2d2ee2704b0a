package vision

import (
	"math"
	"slices"
	"testing"
)

// TestDecay follows a loss and the learning rate through a training.
func TestDecay(t *testing.T) {
	choice, s := Term{Stable: 100}, Schedule{Optimizer: Optimizer{LearningRate: 1}, Stable: 100}
	for step, want := range map[int][2]float64{0: {1, 1}, 100: {1, 1}, 150: {0.55, 0.625}, 200: {0.1, 0.25}, 900: {0.1, 0.25}} {
		share, rate := choice.share(step), s.ratesAt(step)[0]
		if math.Abs(float64(share)-want[0]) > 1e-6 || math.Abs(float64(rate)-want[1]) > 1e-6 {
			t.Errorf("step %d: loss %g and rate %g, want %v", step, share, rate, want)
		}
	}
	choice.Stable, s.Stable = 0, 0
	if choice.share(900) != 1 || s.ratesAt(900)[0] != 1 {
		t.Error("what should stay decays")
	}
}

// TestWarmup follows what grows to its weight, in the order of the losses.
func TestWarmup(t *testing.T) {
	o := Objective{"continuity": {Weight: 1, Warmup: 100}, "pull": {Weight: 2, Warmup: 10}, "inverse": {Weight: 3}, "separation": {}}
	for step, want := range map[int][]float32{0: {1, 0, 0}, 5: {1, 0.5, 0.05}, 10: {1, 1, 0.1}, 50: {1, 1, 0.5}, 900: {1, 1, 1}} {
		if got := o.shares(step); !slices.Equal(got, want) {
			t.Errorf("step %d: %v, want %v", step, got, want)
		}
	}
}
