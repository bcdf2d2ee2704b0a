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
	Limit       float64 // the greatest Recognition.Score of an image that is planned from
	Unit        float64 // the negative log-likelihood that few images exceed, nats
	// Misread is the share of the images held out in training that are decoded to other values than
	// their labels.
	Misread float64
	// Unexplained are skills that change something else than facts.
	Unexplained []Unexplained
	size        int // of images, pixels a side
	logits      func(ctx context.Context, images []uint8) ([]float32, error)
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
	NegLogLikelihood float64 // negative log-likelihood of Values, nats
	Distance         float64 // between the image and what Values look like (Appearance)
	Score            float64 // Distance, and NegLogLikelihood in its unit
	Refusal          Refusal
}

// minHeld is how many images the limit needs at least.
const minHeld = 100

// refusedShare is the share of the images held out that the limit refuses. They are some hundreds:
// of images of states that were never recorded up to three times as many are refused.
const refusedShare = 0.005

// minUnit is the least unit, nats: that of a vector as likely as few images are.
var minUnit = -math.Log(refusedShare)

// calibrate sets the unit and the limit by images held out, and counts those that are misread.
func (z *Recognizer) calibrate(ctx context.Context, d *dataset.Dataset, held []int,
	targets [][]float32) error {
	var packed []uint8
	for _, i := range held {
		packed = append(packed, d.Image(i)...)
	}
	z.Limit, z.Unit = math.Inf(1), minUnit
	seen, err := z.Recognize(ctx, packed)
	if err != nil {
		return err
	}
	misread := 0
	for i, s := range seen {
		if !s.agrees(targets[held[i]]) {
			misread++
		}
	}
	z.Misread = float64(misread) / float64(len(seen))
	few := func(most float64, of func(Recognition) float64) float64 {
		values := make([]float64, len(seen))
		for i, s := range seen {
			values[i] = of(s)
		}
		slices.Sort(values)
		return min(values[len(values)-1-int(refusedShare*float64(len(values)))], most)
	}
	z.Unit = max(minUnit, few(maxNats*float64(z.Constraints.predicates),
		func(s Recognition) float64 { return s.NegLogLikelihood }))
	z.Limit = few(maxLimit, func(s Recognition) float64 {
		return s.Distance + s.NegLogLikelihood/z.Unit
	})
	return nil
}

// agrees says whether the values are those of the targets, as far as these are known.
func (r Recognition) agrees(target []float32) bool {
	for p, want := range target {
		if want != vision.UnknownTarget && (r.Values == nil || r.Values[p] != (want == 1)) {
			return false
		}
	}
	return true
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
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		all[i] = z.RecognizeLogits(logits[i*m:(i+1)*m], images[i*bytes:(i+1)*bytes])
	}
	return all, nil
}

// RecognizeLogits returns what an image shows whose log-odds are known.
func (z *Recognizer) RecognizeLogits(logits []float32, image []uint8) Recognition {
	return z.recognize(logits, logits, image, view{})
}

// recognize decodes the weighted log-odds, and checks what is in view.
func (z *Recognizer) recognize(logits, weighted []float32, image []uint8, v view) Recognition {
	r := Recognition{NegLogLikelihood: math.Inf(1), Distance: math.Inf(1), Score: math.Inf(1)}
	if r.Values = z.Constraints.Decode(weighted).Values; r.Values == nil {
		r.Refusal = Inconsistent
		return r
	}
	r.NegLogLikelihood = 0
	for p, value := range r.Values {
		if !v.counts(p) {
			continue
		}
		l := float64(logits[p])
		if value {
			l = -l
		}
		r.NegLogLikelihood += max(l, 0) + math.Log1p(math.Exp(-math.Abs(l)))
	}
	r.Distance = z.Appearance.distance(image, z.size, r.Values, v)
	r.Score = r.Distance + r.NegLogLikelihood/z.Unit
	switch {
	case r.Score <= z.Limit:
	case r.NegLogLikelihood/z.Unit > r.Distance:
		r.Refusal = Inconsistent
	default:
		r.Refusal = OutOfDistribution
	}
	return r
}
