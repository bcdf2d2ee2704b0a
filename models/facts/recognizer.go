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
	Check
	Classifier *vision.LearnedClassifier
	options    vision.Options
}

// Thresholds are the greatest values of images that are planned from.
type Thresholds struct {
	NegLogLikelihood float64 // Recognition.NegLogLikelihood
	Distance         float64 // Recognition.Distance
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
	Values           []bool  // of each predicate; nil where no consistent vector was found
	Raw              []bool  // by each output alone
	NegLogLikelihood float64 // negative log-likelihood of Values, nats
	Distance         float64 // between the image and what Values look like
	Refusal          Refusal
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
			doubts, distances = append(doubts, s.NegLogLikelihood), append(distances, s.Distance)
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
	logits, err := z.Classifier.Logits(ctx, images, z.options)
	if err != nil {
		return nil, err
	}
	m := z.Classifier.Classifier.Predicates
	size := z.Classifier.Classifier.Backbone.ImageSize()
	bytes := 3 * size * size
	all := make([]Recognition, len(logits)/m)
	for i := range all {
		all[i] = z.Check.Recognize(logits[i*m:(i+1)*m], images[i*bytes:(i+1)*bytes], size)
	}
	return all, nil
}
