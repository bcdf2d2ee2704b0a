package imageplan

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"stripswm/models/align"
	"stripswm/models/bundle"
	"stripswm/models/facts"
	"stripswm/models/pixels"
	"stripswm/models/strips"
)

// recognizeFacts decodes the log-odds of an image to the most likely consistent vector. The state
// need not be a recorded one.
func (p *Planner) recognizeFacts(logits []float32, small pixels.RGB, sees facts.Mask,
	contrast float64,
) (Recognition, error) {
	seen := p.facts.RecognizeLogits(logits, small.Pix, sees)
	var unlike pixels.Region
	if seen.Refusal != "" && p.Confirmed() {
		var err error
		unlike = seen.Where
		logits = slices.Clone(logits) // the network writes over its own
		if seen, err = p.facts.RecognizeUnlike(seen, logits, small.Pix, sees,
			p.network.Run); err != nil {
			return Recognition{}, err
		}
	}
	r := p.recognition(p.probabilities(logits, contrast), seen)
	if r.Known() {
		r.Where = unlike
	}
	r.look = p.facts.Look(small.Pix, r.Used.Bools(), nil)
	return r, nil
}

// probabilities begins a recognition by log-odds.
func (p *Planner) probabilities(logits []float32, contrast float64) Recognition {
	r := Recognition{Probabilities: make([]float32, len(logits)), Contrast: contrast}
	for i, l := range logits {
		r.Probabilities[i] = float32(1 / (1 + math.Exp(-float64(l))))
	}
	return r
}

// recognition takes what the facts of an image are.
func (p *Planner) recognition(r Recognition, seen facts.Recognition) Recognition {
	r.Code = strips.Likelier(r.Probabilities)
	if seen.Values != nil {
		r.Code = strips.StateOf(seen.Values)
	}
	r.Used, r.Distance = r.Code, seen.Score/p.facts.Limit
	r.Limit = p.options.Thresholds.Distance
	switch {
	case r.Contrast < p.options.Thresholds.Contrast:
		r.Refusal = Blank
	case seen.Refusal == facts.Uncertain:
		r.Refusal = LowConfidence
	case r.Distance <= r.Limit:
	case seen.Refusal == facts.Inconsistent:
		r.Refusal, r.Where = Inconsistent, seen.Where
	default:
		r.Refusal, r.Where = OutOfDistribution, seen.Where
	}
	return r
}

// Differ says where two images show something that no fact tells and that an unexplained skill
// changes; "" where they do not. No plan leads from one to the other, though their facts be equal.
func (p *Planner) Differ(a, b Recognition) string {
	if p.facts == nil {
		return ""
	}
	var all []string
	for _, u := range p.facts.Differing(a.look, b.look) {
		all = append(all, fmt.Sprintf("the images differ at %s, and no learned skill explains it: %s",
			u.Where.Words(), u.Words()))
	}
	return strings.Join(all, "; ")
}

// RecognizeRegion recognizes a region of a goal image, in shares of its width and height. Only
// facts that are read from there are the goal. In place of the rest of the image the classifier
// gets that of another image of the world, such as the start: what is there does not matter, and
// may be covered. It returns ErrUnrecognized where no fact is read from the region alone.
func (p *Planner) RecognizeRegion(img, rest pixels.RGB, region pixels.Region) (Recognition,
	strips.Goal, error,
) {
	if p.facts == nil {
		return Recognition{}, nil, fmt.Errorf("goal region: %w: the bundle has no facts; learn it with "+
			"--method traces", bundle.ErrNoPart)
	}
	r, wanted, err := p.recognizeRegion(img, rest, region)
	if err != nil {
		return r, nil, fmt.Errorf("goal region: %w", err)
	}
	return r, wanted, nil
}

func (p *Planner) recognizeRegion(img, rest pixels.RGB, region pixels.Region) (r Recognition,
	wanted strips.Goal, err error,
) {
	small, change, err := p.frame.OfPart(img, region)
	if err != nil {
		return r, nil, err
	}
	mixed, _, err := p.frame.Of(rest)
	if err != nil {
		return r, nil, err
	}
	mask, err := p.mask(img, region, change)
	if err != nil {
		return r, nil, err
	}
	mixed.Pix = slices.Clone(mixed.Pix) // may be the caller's
	for i, inside := range mask {
		if inside {
			copy(mixed.Pix[3*i:3*i+3], small.Pix[3*i:3*i+3])
		}
	}
	logits, err := p.network.Run(mixed.Pix)
	if err != nil {
		return r, nil, err
	}
	seen, within := p.facts.RecognizePart(logits, mixed.Pix, mask)
	r = p.recognition(p.probabilities(logits, contrast(mixed)), seen)
	r.look = p.facts.Look(mixed.Pix, r.Used.Bools(), mask)
	r.changed(change)
	if len(within) == 0 {
		return r, nil, fmt.Errorf("%w: no fact is read from the region %s alone; use a larger one",
			ErrUnrecognized, region)
	}
	return r, strips.GoalOfSome(r.Used, within), nil
}

// mask is a region as the networks see it: an image that is white there, shown as others are.
func (p *Planner) mask(img pixels.RGB, region pixels.Region, c align.Change) (facts.Mask, error) {
	white := pixels.RGB{Width: img.Width, Height: img.Height, Pix: make([]uint8, len(img.Pix))}
	x0, y0, x1, y1 := region.Bounds(img.Width, img.Height)
	for y := y0; y < y1; y++ {
		row := white.Pix[3*(y*img.Width+x0) : 3*(y*img.Width+x1)]
		for i := range row {
			row[i] = 255
		}
	}
	if c.Moved() {
		var err error
		if white, err = c.Unmove(white, p.frame.Frame); err != nil {
			return nil, err
		}
	}
	small, err := p.frame.Frame.Of(white)
	if err != nil {
		return nil, err
	}
	mask := make(facts.Mask, small.Width*small.Height)
	for i := range mask {
		mask[i] = small.Pix[3*i] == 255
	}
	return mask, nil
}
