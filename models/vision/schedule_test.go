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
