package facts

import (
	"cmp"
	"math"
	"slices"

	"stripswm/models/pixels"
	"stripswm/models/strips"
)

// rival is how many times as far as the nearest state another one that explains an image has to be
// for the image not to be refused.
const rival = 1.5

// paintings is how often an image is painted and read at most until both agree.
const paintings = 3

// RecognizeUnlike reads an image in which one thing, nobody knows which, looks unlike all that was
// recorded, or in which something stands where nothing else is ever seen, since somebody said that
// all else is the model's. Wherever a thing may be, what used to be seen there is painted over the
// image, and this is read. The thing is there if the rest says so: it is nowhere else. An image is
// refused if it looks unlike in other places, too, or if two states explain it. RecognizeLogits
// returned refused of the image. Read returns the log-odds of an image, as logits are of this one.
func (z *Recognizer) RecognizeUnlike(refused Recognition, logits []float32, image []uint8,
	sees Mask, read func(image []uint8) ([]float32, error),
) (Recognition, error) {
	inside := z.inside(sees).inside
	only := func(kept []bool) []bool {
		for i := range inside {
			kept[i] = kept[i] && inside[i]
		}
		return kept
	}
	var found []Recognition // the nearest of each state
	add := func(kept []bool, shares []float64, there func(values []bool) bool) error {
		r, err := z.readPainted(kept, shares, there, logits, image, read)
		if err != nil || r.Refusal != "" {
			return err
		}
		same := func(o Recognition) bool { return slices.Equal(o.Values, r.Values) }
		if k := slices.IndexFunc(found, same); k < 0 {
			found = append(found, r)
		} else if r.Score < found[k].Score {
			found[k] = r
		}
		return nil
	}
	a := z.Appearance
	beside := make([]bool, a.side*a.side)
	for p := range a.predicates() {
		for _, i := range a.around[p] {
			beside[i] = true
		}
		kept := only(a.aside(p))
		shares := a.seen(kept)
		value, is := z.Constraints.thing(strips.Predicate(p), shares)
		if !is {
			continue
		}
		there := func(values []bool) bool { return values[p] == value }
		if err := add(kept, shares, there); err != nil {
			return Recognition{}, err
		}
	}
	beside = only(beside)
	if err := add(beside, a.seen(beside), func([]bool) bool { return true }); err != nil {
		return Recognition{}, err
	}
	slices.SortFunc(found, func(a, b Recognition) int { return cmp.Compare(a.Score, b.Score) })
	switch {
	case len(found) == 0:
		return refused, nil
	case len(found) > 1 && found[1].Score < rival*found[0].Score:
		found[0].Refusal = Uncertain
	}
	return found[0], nil
}

// readPainted reads an image of which some pixels are kept [side*side], with these shares of each
// predicate's part, and the others look as they should. It is refused if what is kept allows
// several states, or the thing is not there.
func (z *Recognizer) readPainted(kept []bool, shares []float64, there func(values []bool) bool,
	logits []float32, image []uint8, read func(image []uint8) ([]float32, error),
) (r Recognition, err error) {
	a, seen := z.Appearance, view{predicates: make([]bool, len(shares))}
	for p, share := range shares {
		seen.predicates[p] = share >= partShare
	}
	painted, weighted := image, make([]float32, len(logits))
	var values []bool
	for range paintings {
		for q, share := range shares { // what is hidden might say the contrary
			weighted[q] = logits[q] * float32(max(0, 2*share-1))
		}
		r = z.decode(logits, weighted, seen)
		if r.Refusal != "" {
			return r, nil
		}
		if !there(r.Values) {
			return Recognition{Refusal: Inconsistent}, nil
		}
		if slices.Equal(values, r.Values) {
			r.Distance, r.Where = a.distance(painted, z.size, values, z.explained(view{}))
			r.Score = r.Distance + r.NegLogLikelihood/z.Unit
			switch {
			case r.Score > z.Limit:
				r.Refusal = OutOfDistribution
			case z.Constraints.confidence(weighted, values, view{}) < leastConfidence:
				r.Refusal = Uncertain
			}
			return r, nil
		}
		values = r.Values
		painted = a.paint(image, z.size, values, kept)
		if logits, err = read(painted); err != nil {
			return r, err
		}
	}
	return Recognition{Refusal: Inconsistent}, nil
}

// thing is the value of a predicate that says that a thing is there, if one does: it excludes more
// than the other value, as a thing that is at one place is at no other, and some of that is seen
// elsewhere. A free place excludes only what might be there. Shares of what each predicate changes
// are seen elsewhere.
func (c *Constraints) thing(p strips.Predicate, shares []float64) (value, is bool) {
	l := strips.Literal{Predicate: p}.ID()
	there, not := c.excludes[l].Count(), c.excludes[l.Not()].Count()
	if there < not {
		l = l.Not()
	}
	for other := range c.excludes[l].Each {
		is = is || shares[other.Predicate()] > 0.5
	}
	return there > not, is && there != not
}

// thingEdge is the share of the strongest pixel of a part from which its pixels are the thing. Of a
// thing that is at one of four places a part shows the other three as well, a third as strong. From
// a half on, dark things were missed where the old one looked much like the table.
const thingEdge = 0.35

// aside are the pixels that show nothing of a predicate's thing, nor of what is close beside it
// [side*side].
func (a *Appearance) aside(p int) []bool {
	kept := make([]bool, a.side*a.side)
	for i := range kept {
		kept[i] = true
	}
	most, by := slices.Max(a.edges[p]), max(1, 2*a.side/lookSide)
	for i, e := range a.edges[p] {
		if e < thingEdge*thingEdge*most {
			continue
		}
		for _, pixel := range around(i, a.side, by) {
			kept[pixel] = false
		}
	}
	return kept
}

// paint is an image of size x size pixels with what values look like, but for what is kept
// [side*side].
func (a *Appearance) paint(image []uint8, size int, values, kept []bool) []uint8 {
	target := valuesTarget(values)
	thumb := pixels.Shrink(image, size, a.side)
	shown := make([]float64, len(thumb))
	for i, v := range thumb {
		shown[i] = float64(v)
	}
	looks, deviation := weighted(a.parts, features(target, a.pairs)), a.deviation(target)
	sum := 0.0
	for _, v := range image {
		sum += float64(v)
	}
	grey := sum/float64(len(image)) + 1 // of a value of 1
	_, pool := pixels.Shape(size, a.side)
	painted := slices.Clone(image)
	for c := range 3 {
		g := gain(shown, looks, deviation, kept, c)
		for i, keep := range kept {
			if keep {
				continue
			}
			more := grey * (looks[3*i+c]/g - shown[3*i+c])
			for k := range pool * pool {
				y, x := i/a.side*pool+k/pool, i%a.side*pool+k%pool
				v := &painted[3*(y*size+x)+c]
				*v = uint8(min(max(math.Round(float64(*v)+more), 0), 255))
			}
		}
	}
	return painted
}
