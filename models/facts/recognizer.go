package facts

import (
	"context"
	"math"
	"slices"

	"stripswm/models/dataset"
	"stripswm/models/vision"
)

// Recognizer maps images to predicate vectors, or refuses them.
type Recognizer struct {
	Classifier  *vision.LearnedClassifier // nil of one that was read
	Constraints *Constraints
	Appearance  *Appearance
	Thresholds  Thresholds
	size        int // of images, pixels a side
	logits      func(ctx context.Context, images []uint8) ([]float32, error)
}

// Thresholds are the greatest values of images that are planned from.
type Thresholds struct {
	Doubt    float64 // Recognition.Doubt
	Distance float64 // Recognition.Distance
}

// Refusal says why an image is not planned from; empty where it is.
type Refusal string

// The refusals.
const (
	Inconsistent      Refusal = "inconsistent"        // no vector explains the outputs well enough
	OutOfDistribution Refusal = "out of distribution" // the image does not look like its vector
)

// Recognition is what an image shows.
type Recognition struct {
	Values   []bool  // of each predicate; nil where no consistent vector was found
	Raw      []bool  // by each output alone
	Doubt    float64 // negative log-likelihood of Values, nats
	Distance float64 // between the image and what Values look like
	Refusal  Refusal
}

// minHeld is how many images the thresholds need at least.
const minHeld = 100

// refusedShare is the share of the images held out that each of the two thresholds refuses.
const refusedShare = 0.005

// calibrate sets the thresholds by images held out.
func (z *Recognizer) calibrate(ctx context.Context, d *dataset.Dataset, held []int) error {
	var packed []uint8
	for _, i := range held {
		packed = append(packed, d.Image(i)...)
	}
	z.Thresholds = Thresholds{math.Inf(1), math.Inf(1)}
	seen, err := z.Recognize(ctx, packed)
	if err != nil {
		return err
	}
	var doubts, distances []float64
	for _, s := range seen {
		if s.Values != nil {
			doubts, distances = append(doubts, s.Doubt), append(distances, s.Distance)
		}
	}
	z.Thresholds = Thresholds{quantile(doubts), quantile(distances)}
	return nil
}

// quantile is the value that refusedShare of the values exceed.
func quantile(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[max(0, len(values)-1-int(refusedShare*float64(len(values))))]
}

// Recognize returns what n images show, packed [n, size, size, 3].
func (z *Recognizer) Recognize(ctx context.Context, images []uint8) ([]Recognition, error) {
	logits, err := z.logits(ctx, images)
	if err != nil {
		return nil, err
	}
	m, bytes := z.Constraints.predicates, 3*z.size*z.size
	all := make([]Recognition, len(logits)/m)
	for i := range all {
		all[i] = z.recognize(logits[i*m:(i+1)*m], images[i*bytes:(i+1)*bytes])
	}
	return all, nil
}

func (z *Recognizer) recognize(logits []float32, image []uint8) Recognition {
	r := Recognition{Raw: make([]bool, len(logits)), Doubt: math.Inf(1), Distance: math.Inf(1)}
	for p, l := range logits {
		r.Raw[p] = l > 0
	}
	if r.Values = z.Constraints.Decode(logits).Values; r.Values == nil {
		r.Refusal = Inconsistent
		return r
	}
	r.Doubt = 0
	for p, v := range r.Values {
		l := float64(logits[p])
		if v {
			l = -l
		}
		r.Doubt += max(l, 0) + math.Log1p(math.Exp(-math.Abs(l)))
	}
	r.Distance = z.Appearance.Distance(image, z.size, r.Values)
	switch {
	case r.Doubt > z.Thresholds.Doubt:
		r.Refusal = Inconsistent
	case r.Distance > z.Thresholds.Distance:
		r.Refusal = OutOfDistribution
	}
	return r
}
