package vision

import (
	"math/rand/v2"
	"slices"
)

// sameState is an image of the state in which a transition started or, if that is one more than the
// last, in which the one before ended: the given image, or any other of its static interval, all
// with the same probability.
func (t *trainer) sameState(transition, image int, rng *rand.Rand) int {
	if transition >= len(t.refused) || !t.linked(transition) {
		return image
	}
	others := t.refused[transition]
	if len(others) == 0 {
		return image
	}
	if k := rng.IntN(len(others) + 1); k > 0 {
		return others[k-1]
	}
	return image
}

// linked says whether the transition started where the one before ended, for all that is known.
func (t *trainer) linked(transition int) bool {
	_, cut := slices.BinarySearch(t.cuts, transition)
	return t.data.Transitions[transition].Follows && !cut
}
