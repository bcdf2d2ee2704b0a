package imageplan

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"stripswm/models/bundle"
	"stripswm/models/identity"
	"stripswm/models/inference"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/vision"
)

// Thresholds says what an image must have to be planned from.
type Thresholds struct {
	// Confidence is the least probability of the least certain predicate's value, 0.5
	// to 1. At 0.5 every value is trusted.
	Confidence float64
	// Contrast is the least standard deviation of the green channel, in grey levels
	// of 255: under it the lens is covered or the light is off.
	Contrast float64
	// Distance is the greatest distance from what its state looks like: one in 200 of a
	// state's own images exceeds 1 (appearance.Model). 0 takes the bundle's.
	Distance float64
}

// DefaultThresholds is what Options without a Thresholds stand for.
func DefaultThresholds() Thresholds { return Thresholds{Confidence: 0.6, Contrast: 4} }

// Refusal is why an image is not planned from.
type Refusal string

// The refusals, in the order in which they are looked for.
const (
	Accepted Refusal = ""
	Blank    Refusal = "no contrast"
	// the predicates are those of no state that the model knows
	Unknown Refusal = "unknown state"
	// the encoder gives the image the code of another node
	Inconsistent Refusal = "disagreement"
	// it looks like nothing that was recorded of the state
	OutOfDistribution Refusal = "out of distribution"
	LowConfidence     Refusal = "low confidence" // a predicate's value is not certain
	// nothing else fits, and the camera has moved farther than is corrected
	CameraMoved Refusal = "camera moved"
)

// check is the recognition check: what a bundle has beside its classifier to refuse an image
// by. A Planner that was made with New has none of it.
type check struct {
	coder      *vision.Coder
	locator    *identity.Locator
	appearance *inference.Network
}

// openCheck opens the parts of the check. All are needed: a check that a bundle could switch off by
// lacking a part would check nothing. Also with an error the recognition check has to be closed.
func openCheck(b *bundle.Bundle, o inference.Options) (g check, err error) {
	known, err := b.TaskGraph()
	if err != nil {
		return g, unchecked(b, err)
	}
	coder, err := vision.OpenCoder(b, o)
	if err != nil {
		return g, unchecked(b, err)
	}
	g.coder, g.locator = &coder, identity.NewLocator(known)
	if g.appearance, err = bundle.Use(b, bundle.Appearance, inference.Open, o); err != nil {
		return g, unchecked(b, err)
	}
	return g, nil
}

// unchecked says what to do where a part is missing.
func unchecked(b *bundle.Bundle, err error) error {
	if !errors.Is(err, bundle.ErrNoPart) {
		return err
	}
	return fmt.Errorf("%w: the recognition check needs it: learn bundle %s again from its recording",
		err, b.Dir)
}

func (g *check) close() error {
	var errs []error
	if g.coder != nil {
		errs = append(errs, g.coder.Close())
	}
	if g.appearance != nil {
		errs = append(errs, g.appearance.Close())
	}
	return errors.Join(errs...)
}

// measure adds what the encoder and the recorded images say of an image of the
// networks' size.
func (g *check) measure(r *Recognition, small pixels.RGB, limit float64) error {
	nodes := r.Place.Nodes
	if g.coder != nil {
		code, err := g.coder.CodeOf(small)
		if err != nil {
			return err
		}
		r.Encoded = g.locator.Candidates(code)
		nodes = slices.DeleteFunc(slices.Clone(nodes), func(s strips.StateID) bool {
			return !slices.Contains(r.Encoded, s)
		})
		if len(nodes) == 0 && r.Place.Known() {
			r.Refusal = Inconsistent
		}
	}
	if g.appearance == nil {
		return nil
	}
	distances, err := g.appearance.Run(small.Pix)
	if err != nil {
		return fmt.Errorf("distance from recorded images: %w", err)
	}
	if len(nodes) == 0 {
		nodes = r.Place.Nodes
	}
	r.Distance, r.Limit = math.Inf(1), limit
	for _, s := range nodes {
		r.Distance = min(r.Distance, float64(distances[s]))
	}
	if len(nodes) == 0 {
		r.Distance = float64(slices.Min(distances))
	}
	if r.Refusal == Accepted && r.Distance > limit {
		r.Refusal = OutOfDistribution
	}
	return nil
}

// Explain says in a sentence why an image was not recognized.
func (r Recognition) Explain() string {
	switch r.Refusal {
	case Accepted:
		return "recognized"
	case Blank:
		return fmt.Sprintf(
			"the image has a contrast of %.1f grey levels: is the lens covered or the light off?",
			r.Contrast)
	case Inconsistent:
		if !r.Place.Known() {
			return "no state of the model explains what the classifier sees; uncertain:" + r.uncertainties()
		}
		if len(r.Encoded) == 0 {
			return fmt.Sprintf("the classifier sees state %d, the encoder nothing that was recorded%s",
				r.Place.Nodes[0], r.howFar())
		}
		return fmt.Sprintf("the classifier sees state %d, the encoder state %d%s", r.Place.Nodes[0],
			r.Encoded[0], r.howFar())
	case OutOfDistribution:
		return "nothing like this was recorded" + r.where() + r.howFar()
	case CameraMoved:
		return fmt.Sprintf("the camera seems to have %s: put it back, or record again", r.Change.Words())
	case LowConfidence:
		return fmt.Sprintf("state %s, but the classifier is not sure:%s", r.Code, r.uncertainties())
	}
	var b strings.Builder
	fmt.Fprintf(&b, "predicate state %s is not one the model knows", r.Code)
	if list := r.uncertainties(); list != "" {
		b.WriteString("; uncertain:" + list)
	}
	if len(r.Place.Nearest) > 0 {
		fmt.Fprintf(&b, "; nearest known: node %d, %s, %d predicate(s) away", r.Place.Nearest[0].Node,
			r.Place.Nearest[0].Code, r.Place.Distance)
	}
	return b.String()
}

func (r Recognition) where() string {
	if r.Where == (pixels.Region{}) {
		return ""
	}
	return " at " + r.Where.Words() + " of the image"
}

func (r Recognition) howFar() string {
	if r.Distance == 0 {
		return ""
	}
	if !r.Place.Known() {
		return fmt.Sprintf(": %.2f times as far from what its facts look like as recorded images",
			r.Distance)
	}
	return fmt.Sprintf(": %.2f times as far from state %d as its own images", r.Distance,
		r.Place.Nodes[0])
}

func (r Recognition) uncertainties() string {
	var b strings.Builder
	for _, u := range r.Uncertain() {
		fmt.Fprintf(&b, " p%d=%.2f", u.Predicate, r.Probabilities[u.Predicate])
	}
	return b.String()
}

// contrast is the standard deviation of the green channel, of every few pixels.
func contrast(p pixels.RGB) float64 {
	const every = 7 // prime, so that it does not fall on one column
	var n, sum, squares float64
	for i := 1; i < len(p.Pix); i += 3 * every {
		v := float64(p.Pix[i])
		n, sum, squares = n+1, sum+v, squares+v*v
	}
	if n == 0 {
		return 0
	}
	mean := sum / n
	return math.Sqrt(max(squares/n-mean*mean, 0))
}
