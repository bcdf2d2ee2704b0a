package record

import (
	"fmt"
	"math/rand/v2"

	"stripswm/models/strips"
	"stripswm/nodes/sim"
)

// streamLabels is the stream of wrong labels of a seed.
const streamLabels = 0x1abe1

// labeller says which action id the recording gives to a step: now and then,
// for a transition, not the one that was executed. Refused attempts keep theirs.
type labeller struct {
	share   float64
	actions int // L
	rng     *rand.Rand
}

func newLabeller(share float64, seed uint64, actions int) (*labeller, error) {
	if !(share >= 0 && share <= 1) {
		return nil, fmt.Errorf("share of mislabelled transitions %g: choose 0 to 1", share)
	}
	// A stream of its own: walk and images are the same whatever the share.
	return &labeller{share, actions, rand.New(rand.NewPCG(seed, streamLabels))}, nil
}

// label draws the same numbers whatever the share, so that what is mislabelled
// at a small share is mislabelled, in the same way, at a larger one.
func (l *labeller) label(s sim.Step) strips.ActionID {
	if !s.OK {
		return s.Action
	}
	wrong, other := l.rng.Float64() < l.share, strips.ActionID(1+l.rng.IntN(max(l.actions-1, 1)))
	if !wrong {
		return s.Action
	}
	if other >= s.Action {
		other++
	}
	return other
}
