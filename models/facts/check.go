package facts

import "math"

// Check decodes the outputs of a classifier and decides whether to trust an image. It is what a
// bundle keeps beside the classifier.
type Check struct {
	Constraints *Constraints
	Appearance  *Appearance
	Thresholds  Thresholds
}

// Recognize returns what an image of size x size pixels shows, by the log-odds of the predicates.
func (c *Check) Recognize(logits []float32, image []uint8, size int) Recognition {
	r := Recognition{Raw: make([]bool, len(logits)), NegLogLikelihood: math.Inf(1),
		Distance: math.Inf(1)}
	for p, l := range logits {
		r.Raw[p] = l > 0
	}
	if r.Values = c.Constraints.Decode(logits).Values; r.Values == nil {
		r.Refusal = Inconsistent
		return r
	}
	r.NegLogLikelihood = 0
	for p, v := range r.Values {
		l := float64(logits[p])
		if v {
			l = -l
		}
		r.NegLogLikelihood += max(l, 0) + math.Log1p(math.Exp(-math.Abs(l)))
	}
	r.Distance = c.Appearance.Distance(image, size, r.Values)
	switch {
	case r.NegLogLikelihood > c.Thresholds.NegLogLikelihood:
		r.Refusal = Inconsistent
	case r.Distance > c.Thresholds.Distance:
		r.Refusal = OutOfDistribution
	}
	return r
}

// maxLogit is the log-odds of a probability that float32 cannot tell from 0 or 1.
const maxLogit = 16

// Logits are the log-odds of probabilities.
func Logits(probabilities []float32) []float32 {
	logits := make([]float32, len(probabilities))
	for p, v := range probabilities {
		l := math.Log(float64(v)) - math.Log1p(-float64(v))
		logits[p] = float32(min(max(l, -maxLogit), maxLogit))
	}
	return logits
}
