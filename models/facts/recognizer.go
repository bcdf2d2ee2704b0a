package facts

import (
	"context"
	"math"
	"slices"

	"stripswm/models/dataset"
	"stripswm/models/pixels"
	"stripswm/models/vision"
)

// Recognizer maps images to predicate vectors, or refuses them.
type Recognizer struct {
	Classifier  *vision.LearnedClassifier // nil of one that was read
	Constraints *Constraints
	Appearance  *Appearance
	Limit       float64 // the greatest Recognition.Score of an image that is planned from; 1 if new
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
	Uncertain         Refusal = "uncertain"           // another vector is nearly as likely
)

// Recognition is what an image shows.
type Recognition struct {
	Values           []bool  // of each predicate; nil where no consistent vector was found
	NegLogLikelihood float64 // negative log-likelihood of Values, nats
	Distance         float64 // between the image and what Values look like (Appearance)
	// Where the image is farthest from what Values look like, in shares of its sides.
	Where   pixels.Region
	Score   float64 // Distance, and NegLogLikelihood in its unit
	Refusal Refusal
}

// refusedShare is the share of good images that are refused for what windows show, and that for
// shares of parts. More are refused of states that were never recorded. RareShare is that of good
// images which are farther by a single measure than its unit.
const refusedShare, rareShare = 0.0025, 0.02

// leastConfidence is that of values to plan from: of two that are less likely one in ten is wrong.
// Lids of 3x3 pixels of 80x60 are read so in one image of twelve, and no other world's.
const leastConfidence = 0.9

// minUnit is the least unit, nats: that of a vector as likely as one image in 200.
var minUnit = math.Log(200)

// right returns the images that are decoded to the values of their targets, and how unlikely these
// are. Of others the targets may be wrong.
func (z *Recognizer) right(ctx context.Context, d *dataset.Dataset, images []int,
	targets [][]float32) (right []int, unlikely []float64, err error) {
	const some = 256 // images in memory
	for chunk := range slices.Chunk(images, some) {
		var packed []uint8
		for _, i := range chunk {
			packed = append(packed, d.Image(i)...)
		}
		logits, err := z.logits(ctx, packed)
		if err != nil {
			return nil, nil, err
		}
		for k, i := range chunk {
			m := len(logits) / len(chunk)
			of := logits[k*m : (k+1)*m]
			if r := z.decode(of, of, view{}); r.agrees(targets[i]) {
				right, unlikely = append(right, i), append(unlikely, r.NegLogLikelihood)
			}
		}
	}
	return right, unlikely, nil
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
		all[i] = z.RecognizeLogits(logits[i*m:(i+1)*m], images[i*bytes:(i+1)*bytes], nil)
	}
	return all, nil
}

// RecognizeLogits returns what an image shows whose log-odds are known. The camera sees the pixels
// of a mask, nil: all; what is elsewhere is made up.
func (z *Recognizer) RecognizeLogits(logits []float32, image []uint8, sees Mask) Recognition {
	return z.recognize(logits, logits, image, z.inside(sees))
}

// inside is the view of a mask in which all predicates count.
func (z *Recognizer) inside(m Mask) view {
	if m == nil {
		return view{}
	}
	return view{inside: m.small(z.size, z.Appearance.side)}
}

// decode returns the most likely consistent values of weighted log-odds, and how unlikely they are.
func (z *Recognizer) decode(logits, weighted []float32, v view) Recognition {
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
	return r
}

// recognize decodes the weighted log-odds, and checks what is in view.
func (z *Recognizer) recognize(logits, weighted []float32, image []uint8, v view) Recognition {
	r := z.decode(logits, weighted, v)
	if r.Refusal != "" {
		return r
	}
	r.Distance, r.Where = z.Appearance.distance(image, z.size, r.Values, z.explained(v))
	r.Score = r.Distance + r.NegLogLikelihood/z.Unit
	switch {
	case r.Score <= z.Limit:
		if z.Constraints.confidence(weighted, r.Values, v) < leastConfidence {
			r.Refusal = Uncertain
		}
	case r.NegLogLikelihood/z.Unit > r.Distance:
		r.Refusal = Inconsistent
	default:
		r.Refusal = OutOfDistribution
	}
	return r
}
