package imageplan

import (
	"cmp"
	"fmt"
	"slices"

	"stripswm/models/align"
	"stripswm/models/facts"
	"stripswm/models/pixels"
	"stripswm/models/planner"
	"stripswm/models/strips"
)

// Recognition is what the networks make of an image.
type Recognition struct {
	Probabilities []float32    // b_phi(o), one a predicate
	Code          strips.State // Probabilities binarised at 0.5
	Place         planner.Place
	// Encoded are the nodes that the encoder's code may be of; none where it is no
	// recorded image's, or the bundle has no encoder.
	Encoded []strips.StateID
	// Distance is how far the image looks from those recorded of the state or, where
	// it shows none, of the nearest: 1 is what one in 200 of these exceeds. 0 where the
	// bundle does not say.
	Distance float64
	Limit    float64 // of Distance
	// Where an image that is refused is farthest from that, in shares of its sides, and one that is
	// not what looks unlike all that was recorded, which somebody has confirmed; zero where that is
	// nowhere, or not known. Before the camera moved, if it did.
	Where    pixels.Region
	Contrast float64 // standard deviation of the green channel, grey levels
	Refusal  Refusal // why not to plan from the image
	// Used is the state to plan with: Code, or the nearest known one where
	// Options.Nearest allows it.
	Used strips.State
	// Change is how camera and light differ from those of the recording.
	Change align.Change
	// look is what the image is compared with others by; nil where no skill is unexplained.
	look *facts.Look
}

// Known says whether the image shows a state of the model, by all that is known.
func (r Recognition) Known() bool { return r.Refusal == Accepted }

// nearly is how many times as far as the limit an image is near: of good images that are farther
// than the limit, most are no farther than this.
const nearly = 1.5

// Near says that Code is the most likely state, though the image is farther than the limit from
// what it looks like, at most half as far again.
func (r Recognition) Near() bool {
	return r.Refusal == OutOfDistribution && r.Distance <= nearly*r.Limit
}

// State names the state that the image shows: s and its node, or its predicates if it has none.
func (r Recognition) State() string {
	if len(r.Place.Nodes) > 0 {
		return fmt.Sprintf("s%d", r.Place.Nodes[0])
	}
	return r.Code.String()
}

// Uncertainty is a predicate and how likely its value is wrong, at most 0.5.
type Uncertainty struct {
	Predicate        strips.Predicate
	ErrorProbability float32
}

// uncertain is the error probability from which a predicate's value is called uncertain.
const uncertain = 0.1

// Uncertain lists the predicates whose value may be wrong, the least certain
// first: those in which the nearest known states differ from the image, and
// those whose value is wrong with a probability above 0.1.
func (r Recognition) Uncertain() []Uncertainty {
	suspect := map[strips.Predicate]bool{}
	for _, known := range r.Place.Nearest {
		for _, p := range r.Code.Difference(known.Code) {
			suspect[p] = true
		}
	}
	var list []Uncertainty
	for i, probability := range r.Probabilities {
		p, wrong := strips.Predicate(i), min(probability, 1-probability)
		if suspect[p] || wrong > uncertain {
			list = append(list, Uncertainty{p, wrong})
		}
	}
	slices.SortFunc(list, func(a, b Uncertainty) int {
		return cmp.Or(cmp.Compare(b.ErrorProbability, a.ErrorProbability),
			cmp.Compare(a.Predicate, b.Predicate))
	})
	return list
}

// Certain says whether the image shows a known state and no predicate is uncertain.
func (r Recognition) Certain() bool { return r.Known() && len(r.Uncertain()) == 0 }

// Confidence is the probability of the least certain predicate's value, 0.5 to 1.
func (r Recognition) Confidence() float32 {
	confidence := float32(1)
	for _, p := range r.Probabilities {
		confidence = min(confidence, max(p, 1-p))
	}
	return confidence
}

// evaluate decides whether to plan from an image.
func (p *Planner) evaluate(r *Recognition, small pixels.RGB) error {
	if !r.Place.Known() {
		r.Refusal = Unknown
	}
	if err := p.check.measure(r, small, p.options.Thresholds.Distance); err != nil {
		return err
	}
	switch thresholds := p.options.Thresholds; {
	case r.Contrast < thresholds.Contrast:
		r.Refusal = Blank
	case r.Refusal == Accepted && float64(r.Confidence()) < thresholds.Confidence:
		r.Refusal = LowConfidence
	}
	return nil
}

// Recognize classifies an image of any size, as it would look without what has changed of camera
// and light.
func (p *Planner) Recognize(img pixels.RGB) (Recognition, error) {
	part, err := img.Crop(p.frame.Region)
	if err != nil {
		return Recognition{}, err
	}
	small, change, err := p.frame.Of(img)
	if err != nil {
		return Recognition{}, err
	}
	r, err := p.recognize(small, p.frame.Shows(change, img.Width, img.Height), contrast(part))
	if r.Where != (pixels.Region{}) {
		r.Where = p.frame.Seen(r.Where, img.Width, img.Height)
	}
	r.changed(change)
	return r, err
}

// changed keeps how camera and light have changed, and refuses what was not corrected for that
// reason.
func (r *Recognition) changed(c align.Change) {
	r.Change = c
	if r.Refusal != Accepted && c.Beyond() {
		r.Refusal = CameraMoved
	}
}

func (p *Planner) recognize(small pixels.RGB, sees facts.Mask, contrast float64) (Recognition,
	error,
) {
	probabilities, err := p.network.Run(small.Pix)
	if err != nil {
		return Recognition{}, err
	}
	if p.facts != nil {
		return p.recognizeFacts(probabilities, small, sees, contrast)
	}
	r := Recognition{Probabilities: slices.Clone(probabilities), Contrast: contrast}
	r.Code = strips.Likelier(probabilities)
	r.Place = planner.Locate(p.model, r.Code)
	if err := p.evaluate(&r, small); err != nil {
		return Recognition{}, err
	}
	r.Used = r.Code
	if p.options.Nearest && !r.Known() && len(r.Place.Nearest) > 0 {
		r.Used = r.Place.Nearest[0].Code
	}
	return r, nil
}
