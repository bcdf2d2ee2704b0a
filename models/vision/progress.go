package vision

import (
	"slices"

	"stripswm/models/dataset"
	"stripswm/models/identity"
)

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
// steps, and transitions contradict each other no less often, unless they hardly do. probability is
// the loss of a code that separates nothing.
func separated(history []Evaluation, probability float64) bool {
	then, last, ok := halfway(history, separatedEvaluations)
	return ok && then.discrimination()-last.discrimination() < separatedFall*probability &&
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
// evaluations: the loss is that of probability, and no gradient is left that would change it.
func (p Preset) collapsed(history []Evaluation) bool {
	if p.WorldModel.Stable != Separated || len(history) < collapsedEvaluations {
		return false
	}
	probability := contrastScale(p.Batch)
	return !slices.ContainsFunc(history[len(history)-collapsedEvaluations:],
		func(e Evaluation) bool {
			return e.discrimination() < collapsedShare*probability
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
