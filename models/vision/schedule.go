package vision

import "stripswm/models/networks"

// Separated stands for the number of steps of phase separate (phases.go), in place of a fixed
// number. It is known only after the phase.
const Separated = -1

// Schedule says how long stage 1 trains, and how often its codes are evaluated.
type Schedule struct {
	networks.Optimizer
	Steps    int // at most; 0 means Epochs
	Epochs   int // through the data, where Steps is 0
	Evaluate int // steps between evaluations; 0: by the number of images (every)
	// Stable is the number of steps with the full learning rate, or Separated. After it the rate
	// decays; training does not settle before that. 0: the rate never decays.
	Stable int
	// Settled is the number of evaluations in a row without change or latent nondeterminism after
	// which training stops; 0 never.
	Settled int
}

// ratesAt are Optimizer.Rates with the learning rate of the step; separated is as in decay.
func (s Schedule) ratesAt(step, separated int) [3]float32 {
	rates := s.Rates(step)
	rates[0] *= 1 - (1-decayedRate)*decayed(step, s.Stable, separated)
	return rates
}

// steady says whether nothing changes with the step any more.
func (s Schedule) steady(step, separated int) bool {
	from, over := decay(s.Stable, separated)
	return (s.Stable != Separated || separated > 0) && step >= from+over
}

// every is the number of steps between evaluations of that many images.
func (s Schedule) every(images int) int {
	if s.Evaluate > 0 {
		return s.Evaluate
	}
	return max(evaluationSteps, images/imagesPerStep)
}

// share is the share of the weight that applies at a step: 0 to 1.
func (t Term) share(step, separated int) float32 {
	return grown(step, t.Warmup) * (1 - (1-decayedWeight)*decayed(step, t.Stable, separated))
}

// grown rises from 0 to 1 over a number of steps.
func grown(step, steps int) float32 {
	if step >= steps {
		return 1
	}
	return float32(step) / float32(steps)
}

// decay are the step from which something decays, and over how many; separated is what Separated
// stands for, 0 while it is not known.
func decay(stable, separated int) (from, over int) {
	if stable == Separated {
		return separated, separated / decayShare
	}
	return stable, stable
}

// decayed is how far a decay has come, 0 to 1.
func decayed(step, stable, separated int) float32 {
	from, over := decay(stable, separated)
	if over == 0 {
		return 0
	}
	return min(max(float32(step-from)/float32(over), 0), 1)
}
