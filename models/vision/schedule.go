package vision

import (
	"slices"

	"stripswm/models/dataset"
	"stripswm/models/identity"
	"stripswm/models/networks"
)

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

// settledSince says whether nothing of note has changed since the evaluation before: no two
// successors are in conflict, nondeterminism falls no more, the code separates actions, and the
// number of codes is about the same.
func (e Evaluation) settledSince(before Evaluation) bool {
	moved := max(e.Codes-before.Codes, before.Codes-e.Codes)
	fall := before.Nondeterministic - e.Nondeterministic
	return e.Conflicts == 0 &&
		fall <= max(settledPairs, before.Nondeterministic/settledNondeterminism) &&
		e.InverseAccuracy() > MinInverseAccuracy && moved <= e.Codes/settledCodes
}

// separated says whether the discrimination loss has stopped falling over the last half of the
// steps, and transitions contradict each other no less often, unless they hardly do. chance is the
// loss of a code that separates nothing (contrastScale).
func separated(history []Evaluation, chance float64) bool {
	then, last, ok := halfway(history, separatedEvaluations)
	return ok && then.discrimination()-last.discrimination() < separatedFall*chance &&
		(last.MinorityShare <= consistentShare ||
			last.MinorityShare > consistentFall*then.MinorityShare)
}

// waitsForSplit says whether images of one code show several states, so that phase separate goes
// on although the loss has stopped falling.
func (t *trainer) waitsForSplit(step int, codes []identity.Code) bool {
	plateau := step
	for i, e := range t.history {
		if separated(t.history[:i+1], contrastScale(t.preset.Batch)) {
			plateau = e.Step
			break
		}
	}
	return step < waitForSplit*plateau && !slices.Equal(identity.Split(t.data, codes), codes)
}

// halfway is the evaluation at half of the steps, and the last one; false where there are fewer
// than least.
func halfway(history []Evaluation, least int) (then, last Evaluation, ok bool) {
	if len(history) < least {
		return then, last, false
	}
	last = history[len(history)-1]
	for _, e := range slices.Backward(history) {
		if 2*e.Step <= last.Step {
			return e, last, true
		}
	}
	return then, last, false
}

// done says whether training has settled.
func (t *trainer) done() bool {
	return t.preset.WorldModel.Settled > 0 && t.settled >= t.preset.WorldModel.Settled
}

// collapsed says whether a training with phase separate has separated nothing in the last
// evaluations: the loss is that of chance, and no gradient is left that would change it.
func (p Preset) collapsed(history []Evaluation) bool {
	if p.WorldModel.Stable != Separated || len(history) < collapsedEvaluations {
		return false
	}
	chance := contrastScale(p.Batch)
	return !slices.ContainsFunc(history[len(history)-collapsedEvaluations:],
		func(e Evaluation) bool {
			return e.discrimination() < collapsedShare*chance
		})
}

// stalled says whether a training with phase separate overfits the recording, or takes too long
// to settle.
func (t *trainer) stalled() bool {
	return t.preset.WorldModel.Stable == Separated &&
		(overfit(t.history, len(t.data.Transitions)) ||
			t.separated > 0 && t.step >= stalledSteps*t.separated)
}

// overfit says whether there are more codes than so many transitions can have states for, and
// transitions contradict each other no less often than at half of the steps.
func overfit(history []Evaluation, transitions int) bool {
	then, last, ok := halfway(history, overfitEvaluations)
	return ok && last.Codes > transitions/dataset.MinVisits &&
		last.MinorityShare > overfitMinority && last.MinorityShare > overfitFall*then.MinorityShare
}
