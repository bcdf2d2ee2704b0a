package imageplan

import (
	"bytes"
	"fmt"

	"stripswm/models/bundle"
	"stripswm/models/facts"
	"stripswm/models/pixels"
	"stripswm/models/strips"
)

// openFacts reads the check of a bundle whose classifier reads facts.
func openFacts(b *bundle.Bundle) (*facts.Check, error) {
	data, err := b.Read(bundle.Facts)
	if err != nil {
		return nil, err
	}
	c, err := facts.ReadCheck(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("bundle %s: %w", b.Dir, err)
	}
	return c, nil
}

// recognizeFacts decodes the probabilities of r to the most likely consistent vector. The state
// need not be a recorded one.
func (p *Planner) recognizeFacts(r Recognition, small pixels.RGB) (Recognition, error) {
	seen := p.facts.Recognize(facts.Logits(r.Probabilities), small.Pix, small.Width)
	r.Code = strips.Likelier(r.Probabilities)
	if seen.Values != nil {
		r.Code = strips.StateOf(seen.Values)
	}
	r.Used, r.Distance = r.Code, seen.Distance/p.facts.Thresholds.Distance
	switch {
	case r.Contrast < p.options.Thresholds.Contrast:
		r.Refusal = Blank
	case seen.Refusal == facts.Inconsistent:
		r.Refusal = Inconsistent
	case seen.Refusal == facts.OutOfDistribution:
		r.Refusal = OutOfDistribution
	}
	return r, nil
}
