package vision

import (
	"math/rand/v2"
	"slices"

	"stripswm/models/augment"
	"stripswm/models/networks"
)

// fill copies a step's transitions into the inputs of WorldModel.task.
func (t *trainer) fill(step int, into networks.Inputs) {
	bytes := t.data.ImageBytes()
	actions, dither, linked := networks.Numbers[int32](into, 0), networks.Numbers[float32](into, 1),
		networks.Numbers[float32](into, 2)
	noise := rand.New(rand.NewPCG(t.options.Seed<<32^uint64(step), streamDither))
	for i := range dither {
		dither[i] = noise.Float32() - 0.5
	}
	indices := t.sampler.at(step)
	for i := range linked {
		linked[i] = 0
		if first, second := indices[i], indices[len(linked)+i]; second == first+1 &&
			t.linked(second) {
			linked[i] = 1
		}
	}
	for i, index := range indices {
		tr := t.data.Transitions[index]
		rng := rand.New(rand.NewPCG(t.options.Seed<<32^uint64(step), uint64(i)))
		for v, view := range t.model.views() {
			image, variation := t.sameState(index, tr.Before, rng), t.preset.Augment
			if view == next {
				image = t.sameState(index+1, tr.After, rng)
			}
			if view == augmented {
				variation = max(variation, augment.Camera)
			}
			dst := into.Images[v].GetData()[i*bytes : (i+1)*bytes]
			variation.Apply(dst, t.data.Image(image), t.data.Size, rng)
		}
		actions[i] = int32(tr.Action - 1)
	}
}

// pairs draws transitions two by two, one and the next in the recording, so that a batch has two
// images of many states at no cost. Each epoch pairs them the other way, so that each transition is
// once the first and once the second of a pair.
type pairs struct {
	n     int // transitions
	draws *networks.Sampler
}

// newPairs draws batches of that many transitions, an even number.
func newPairs(n, batch int, seed uint64) pairs {
	return pairs{n, networks.NewSampler((n+1)/2, batch/2, seed)}
}

// at returns step's batch: the first of each pair, then the second of each. The
// recording's end pairs up with its beginning.
func (p pairs) at(step int) []int {
	shift := step / p.draws.PerEpoch() % 2
	draws := p.draws.At(step)
	indices := make([]int, 2*len(draws))
	for i, k := range draws {
		first := 2*k + shift
		indices[i], indices[len(draws)+i] = first%p.n, (first+1)%p.n
	}
	return indices
}

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
