package vision

import (
	"math/rand/v2"
	"slices"

	ort "github.com/yalue/onnxruntime_go"

	"stripswm/models/augment"
	"stripswm/models/networks"
)

// batch is what a step of stage 1 reads of the data.
type batch struct {
	images  []*ort.Tensor[uint8] // of each view, [batch, size, size, 3]
	actions *ort.Tensor[int32]   // [batch], from 0
	dither  *ort.Tensor[float32] // [batch, B], -0.5 to 0.5
	linked  *ort.Tensor[float32] // [batch/2], 1 where transition batch/2+i follows on transition i
}

func newBatch(m WorldModel, n int) (b batch, err error) {
	for range m.views() {
		images, err := networks.NewTensor[uint8]([]int{n, m.Backbone.ImageSize(),
			m.Backbone.ImageSize(), 3})
		if err != nil {
			return b, err
		}
		b.images = append(b.images, images)
	}
	if b.actions, err = networks.NewTensor[int32]([]int{n}); err != nil {
		return b, err
	}
	if b.linked, err = networks.Floats(n / 2); err != nil {
		return b, err
	}
	b.dither, err = networks.Floats(n, m.FSQ.Dims)
	return b, err
}

// tensors are what WorldModel.task takes.
func (b batch) tensors() networks.Inputs {
	return networks.Inputs{Images: b.images, Extra: []ort.Value{b.actions, b.dither, b.linked}}
}

func (b batch) free() {
	for _, images := range b.images {
		images.Destroy()
	}
	if b.actions != nil {
		b.actions.Destroy()
	}
	if b.dither != nil {
		b.dither.Destroy()
	}
	if b.linked != nil {
		b.linked.Destroy()
	}
}

// fill copies a step's transitions into a batch.
func (t *trainer) fill(step int, into batch) {
	bytes := t.data.ImageBytes()
	noise := rand.New(rand.NewPCG(t.options.Seed<<32^uint64(step), streamDither))
	for i := range into.dither.GetData() {
		into.dither.GetData()[i] = noise.Float32() - 0.5
	}
	indices := t.sampler.at(step)
	linked := into.linked.GetData()
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
			dst := into.images[v].GetData()[i*bytes : (i+1)*bytes]
			variation.Apply(dst, t.data.Image(image), t.data.Size, rng)
		}
		into.actions.GetData()[i] = int32(tr.Action - 1)
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
