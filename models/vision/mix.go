package vision

import "math/rand/v2"

// Labels are what stage 3 learns from, where not all is known.
type Labels struct {
	Images  []int       // to learn from; they may repeat
	Targets [][]float32 // by image and predicate: 0, 1 or UnknownTarget
	// Mixed is the share of training images into which a rectangle of another one is put (CutMix:
	// Yun et al. 2019). Predicates that differ between the two are unknown then, and so are those
	// that depend on them. A network learns to read each predicate where it is seen, and not from
	// what was recorded together with it.
	Mixed   float64
	Members [][]int // the predicates before it that a predicate depends on; nil: none does
}

// Sides of the rectangle, shares of an image's.
const mixLeast, mixMost = 0.2, 0.8

// mix puts a rectangle of another image into a training image and adapts its targets.
func (t *classifierTrainer) mix(img []uint8, targets []float32, rng *rand.Rand) {
	size := t.data.Size
	image := t.labels.Images[rng.IntN(len(t.labels.Images))]
	other := make([]uint8, len(img))
	t.augment.Apply(other, t.data.Image(image), size, rng)
	side := func() (from, to int) {
		n := int(float64(size) * (mixLeast + (mixMost-mixLeast)*rng.Float64()))
		from = rng.IntN(size - n + 1)
		return from, from + n
	}
	left, right := side()
	top, bottom := side()
	for y := top; y < bottom; y++ {
		copy(img[3*(y*size+left):3*(y*size+right)], other[3*(y*size+left):3*(y*size+right)])
	}
	t.labels.merge(targets, t.labels.Targets[image])
}

// merge makes targets unknown that differ from others, and those that depend on such.
func (l Labels) merge(targets, others []float32) {
	for p, v := range others {
		if targets[p] != v {
			targets[p] = UnknownTarget
		}
		if l.Members == nil {
			continue
		}
		for _, m := range l.Members[p] {
			if targets[m] == UnknownTarget {
				targets[p] = UnknownTarget
			}
		}
	}
}
