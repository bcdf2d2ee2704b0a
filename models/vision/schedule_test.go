package vision

import (
	"math"
	"testing"
)

// TestGuideFades follows choice loss and learning rate through a training.
func TestGuideFades(t *testing.T) {
	s := Schedule{Optimizer: Optimizer{LearningRate: 1}, Guide: 100}
	for step, want := range map[int][2]float64{0: {1, 1}, 100: {1, 1}, 150: {0.55, 0.625}, 200: {0.1, 0.25}, 900: {0.1, 0.25}} {
		guide, rate := s.guide(step), s.ratesAt(step)[0]
		if math.Abs(float64(guide)-want[0]) > 1e-6 || math.Abs(float64(rate)-want[1]) > 1e-6 {
			t.Errorf("step %d: choice %g and rate %g, want %v", step, guide, rate, want)
		}
	}
	s.Guide = 0
	if s.guide(900) != 1 || s.ratesAt(900)[0] != 1 {
		t.Error("without a guide something fades")
	}
}

// TestScalesGrow follows what grows to its weight.
func TestScalesGrow(t *testing.T) {
	s := Schedule{Hold: 10, Unite: 100}
	for step, want := range map[int][3]float32{0: {0, 1, 0}, 5: {0.5, 1, 0.05}, 10: {1, 1, 0.1}, 50: {1, 1, 0.5}, 900: {1, 1, 1}} {
		if got := s.scales(step); got != want {
			t.Errorf("step %d: %v, want %v", step, got, want)
		}
	}
	if got := (Schedule{}).scales(0); got != [3]float32{1, 1, 1} {
		t.Errorf("without them: %v", got)
	}
}
