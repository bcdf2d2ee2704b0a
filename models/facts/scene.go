package facts

import (
	"stripswm/models/pixels"
	"stripswm/models/strips"
)

// Scene is what images look like in which literals hold, and else few facts: RGB pixels
// [side, side, 3] around a mean grey. It is false where no consistent vector has these literals.
func (z *Recognizer) Scene(literals ...strips.Literal) (pix []uint8, side int, ok bool) {
	logits := make([]float32, z.Constraints.predicates)
	for p := range logits {
		logits[p] = -1
	}
	for _, l := range literals {
		logits[l.Predicate] = given
		if l.Negated {
			logits[l.Predicate] = -given
		}
	}
	values := z.Constraints.Decode(logits).Values
	if values == nil {
		return nil, 0, false
	}
	for _, l := range literals {
		if values[l.Predicate] == l.Negated {
			return nil, 0, false
		}
	}
	a := z.Appearance
	for _, v := range weighted(a.parts, features(valuesTarget(values), a.pairs)) {
		pix = append(pix, uint8(min(max(grey*v, 0), 255)))
	}
	return pix, a.side, true
}

// Region is where most of a predicate is seen in the image, in shares of its sides; empty if it is
// seen nowhere. A tenth of its energy at each side is left out: parts have stray pixels.
func (a *Appearance) Region(p strips.Predicate) pixels.Region {
	rows, columns, all := make([]float64, a.side), make([]float64, a.side), 0.0
	for i, e := range a.edges[p] {
		rows[i/a.side] += e
		columns[i%a.side] += e
		all += e
	}
	if all == 0 {
		return pixels.Region{}
	}
	ends := func(by []float64) (first, last int) {
		const out = 0.1
		sum := 0.0
		for i, e := range by {
			if sum < out*all {
				first = i
			}
			if sum < (1-out)*all {
				last = i
			}
			sum += e
		}
		return first, last
	}
	x, right := ends(columns)
	y, bottom := ends(rows)
	return a.region(x, y, right-x+1, bottom-y+1)
}

// grey is the mean of an image that is drawn.
const grey = 128
