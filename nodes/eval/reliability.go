package eval

import (
	"math"

	"stripswm/models/imageplan"
	"stripswm/models/strips"
)

// Reliability is how well the probabilities of one predicate agree with its true
// values.
type Reliability struct {
	// ECE is the expected calibration error: the distance between predicted and
	// true share in a bin, averaged over the images.
	ECE float64 `json:"ece"`
	// Brier is the mean square error of the probability.
	Brier float64 `json:"brier"`
	Bins  []Bin   `json:"bins,omitempty"` // those with images, by probability
}

// Bin is the images to which the classifier gives about the same probability.
type Bin struct {
	Images    int     `json:"images"`
	Predicted float64 `json:"predicted"` // mean probability that the predicate holds
	Holds     float64 `json:"holds"`     // share of the images in which it does
}

// binCount divides 0..1 evenly.
const binCount = 10

// tally gathers predictions of one predicate.
type tally struct {
	predicted, holds [binCount]float64
	images           [binCount]int
	square           float64
}

func (t *tally) add(probability float64, holds bool) {
	k := min(int(probability*binCount), binCount-1)
	t.images[k]++
	t.predicted[k] += probability
	value := 0.0
	if holds {
		value = 1
	}
	t.holds[k] += value
	t.square += (probability - value) * (probability - value)
}

func (t *tally) reliability() Reliability {
	all := 0
	for _, n := range t.images {
		all += n
	}
	var r Reliability
	if all == 0 {
		return r
	}
	r.Brier = t.square / float64(all)
	for k, n := range t.images {
		if n == 0 {
			continue
		}
		r.ECE += math.Abs(t.predicted[k]-t.holds[k]) / float64(all)
		r.Bins = append(r.Bins, Bin{n, t.predicted[k] / float64(n), t.holds[k] / float64(n)})
	}
	return r
}

// reliabilities compares images of the states with the states' majority codes: by
// predicate, and all together.
func reliabilities(seen [][]imageplan.Recognition, majority []strips.State,
	predicates int,
) ([]Reliability, Reliability) {
	each := make([]tally, predicates)
	var together tally
	for i, images := range seen {
		if majority[i].Len() != predicates {
			continue // no image of the state is ever known
		}
		for _, r := range images {
			for p, probability := range r.Probabilities {
				holds := majority[i].Get(strips.Predicate(p))
				each[p].add(float64(probability), holds)
				together.add(float64(probability), holds)
			}
		}
	}
	list := make([]Reliability, predicates)
	for p := range each {
		list[p] = each[p].reliability()
	}
	return list, together.reliability()
}
