package imageplan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"stripswm/models/pixels"
	"stripswm/models/planner"
	"stripswm/models/strips"
)

// Recognition is what the classifier makes of a picture.
type Recognition struct {
	Probabilities []float32    // b_phi(o), one a predicate
	Code          strips.State // Probabilities binarised at 0.5
	Place         planner.Place
	// Used is the state to plan with: Code, or the nearest known one where
	// Options.Nearest allows it.
	Used strips.State
}

// Known says whether the picture's predicates are those of a state of the model.
func (r Recognition) Known() bool { return r.Place.Known() }

// Uncertainty is a predicate and how likely its value is wrong, at most 0.5.
type Uncertainty struct {
	Predicate strips.Predicate
	Doubt     float32
}

// doubtful is the doubt from which a predicate's value is called uncertain.
const doubtful = 0.1

// Uncertain lists the predicates whose value may be wrong, the most doubtful
// first: those in which the nearest known states differ from the picture, and
// those that the classifier doubts by more than 0.1.
func (r Recognition) Uncertain() []Uncertainty {
	suspect := map[strips.Predicate]bool{}
	for _, known := range r.Place.Nearest {
		for _, p := range r.Code.Difference(known.Code) {
			suspect[p] = true
		}
	}
	var list []Uncertainty
	for i, probability := range r.Probabilities {
		p, doubt := strips.Predicate(i), min(probability, 1-probability)
		if suspect[p] || doubt > doubtful {
			list = append(list, Uncertainty{p, doubt})
		}
	}
	slices.SortFunc(list, func(a, b Uncertainty) int {
		return cmp.Or(cmp.Compare(b.Doubt, a.Doubt), cmp.Compare(a.Predicate, b.Predicate))
	})
	return list
}

// Certain says whether the picture shows a known state and no predicate is uncertain.
func (r Recognition) Certain() bool { return r.Known() && len(r.Uncertain()) == 0 }

// Confidence is the probability of the least certain predicate's value, 0.5 to 1.
func (r Recognition) Confidence() float32 {
	confidence := float32(1)
	for _, p := range r.Probabilities {
		confidence = min(confidence, max(p, 1-p))
	}
	return confidence
}

// Explain says in a sentence why a picture was not recognised.
func (r Recognition) Explain() string {
	var b strings.Builder
	fmt.Fprintf(&b, "predicate state %s is not one the model knows", r.Code)
	for i, u := range r.Uncertain() {
		if i == 0 {
			b.WriteString("; uncertain:")
		}
		fmt.Fprintf(&b, " p%d=%.2f", u.Predicate, r.Probabilities[u.Predicate])
	}
	if len(r.Place.Nearest) > 0 {
		fmt.Fprintf(&b, "; nearest known: node %d, %s, %d predicate(s) away", r.Place.Nearest[0].Node, r.Place.Nearest[0].Code, r.Place.Distance)
	}
	return b.String()
}

// Recognize classifies a picture of any size.
func (p *Planner) Recognize(picture pixels.RGB) (Recognition, error) {
	small, err := picture.Square(p.network.Width)
	if err != nil {
		return Recognition{}, err
	}
	probabilities, err := p.network.Run(small.Pix)
	if err != nil {
		return Recognition{}, err
	}
	r := Recognition{Probabilities: slices.Clone(probabilities)}
	values := make([]bool, len(probabilities))
	for i, v := range probabilities {
		values[i] = v >= 0.5
	}
	r.Code = strips.StateOf(values)
	r.Place = planner.Locate(p.model, r.Code)
	r.Used = r.Code
	if p.options.Nearest && !r.Known() && len(r.Place.Nearest) > 0 {
		r.Used = r.Place.Nearest[0].Code
	}
	return r, nil
}
