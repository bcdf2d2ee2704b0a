package imageplan

import (
	"bytes"
	"fmt"
	"math"

	"stripswm/models/bundle"
	"stripswm/models/facts"
	"stripswm/models/inference"
	"stripswm/models/pixels"
	"stripswm/models/strips"
)

// openFacts reads what a bundle has to recognize facts by, beside its network.
func openFacts(b *bundle.Bundle, network *inference.Network) (*facts.Recognizer, error) {
	data, err := b.Read(bundle.Facts)
	if err != nil {
		return nil, err
	}
	z, err := facts.Read(bytes.NewReader(data), network)
	if err != nil {
		return nil, fmt.Errorf("bundle %s: %w", b.Dir, err)
	}
	return z, nil
}

// recognizeFacts decodes the log-odds of an image to the most likely consistent vector. The state
// need not be a recorded one.
func (p *Planner) recognizeFacts(logits []float32, small pixels.RGB, contrast float64) Recognition {
	r := Recognition{Probabilities: make([]float32, len(logits)), Contrast: contrast}
	for i, l := range logits {
		r.Probabilities[i] = float32(1 / (1 + math.Exp(-float64(l))))
	}
	seen := p.facts.RecognizeLogits(logits, small.Pix)
	r.Code = strips.Likelier(r.Probabilities)
	if seen.Values != nil {
		r.Code = strips.StateOf(seen.Values)
	}
	r.Used, r.Distance = r.Code, seen.Score/p.facts.Limit
	switch {
	case r.Contrast < p.options.Thresholds.Contrast:
		r.Refusal = Blank
	case seen.Refusal == facts.Inconsistent:
		r.Refusal = Inconsistent
	case seen.Refusal == facts.OutOfDistribution:
		r.Refusal = OutOfDistribution
	}
	return r
}
