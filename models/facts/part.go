package facts

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"stripswm/models/strips"
)

// Mask says which pixels of an image count [size*size].
type Mask []bool

// partShare is the share of a predicate's part that has to lie in a mask for the predicate to
// count: what is seen of an object by half may be another one.
const partShare = 0.9

// partEdge is the share of the strongest pixel of a part below which its pixels are noise.
const partEdge = 0.25

// small is the mask of an image of so many pixels a side: those of which every pixel counts.
func (m Mask) small(size, side int) []bool {
	pool := size / side
	inside := make([]bool, side*side)
	for i := range inside {
		inside[i] = true
		for k := range pool * pool {
			y, x := i/side*pool+k/pool, i%side*pool+k%pool
			inside[i] = inside[i] && m[y*size+x]
		}
	}
	return inside
}

// beside are the pixels of a part, by its energy, and those beside them.
func (a *Appearance) beside(energy []float64) (pixels []int) {
	where := make([]bool, a.side*a.side)
	for i, e := range energy {
		if e == 0 {
			continue
		}
		for _, pixel := range around(i, a.side, 1) {
			where[pixel] = true
		}
	}
	for i, is := range where {
		if is {
			pixels = append(pixels, i)
		}
	}
	return pixels
}

// around are a cell of a square grid and those at most so far from it.
func around(cell, side, far int) (cells []int) {
	for y := max(cell/side-far, 0); y <= min(cell/side+far, side-1); y++ {
		for x := max(cell%side-far, 0); x <= min(cell%side+far, side-1); x++ {
			cells = append(cells, y*side+x)
		}
	}
	return cells
}

// edges returns the energy of an image by pixel, 0 where it is noise.
func edges(row []float64) []float64 {
	most, energy := 0.0, make([]float64, len(row)/3)
	for i := range energy {
		energy[i] = floats.Dot(row[3*i:3*i+3], row[3*i:3*i+3])
		most = max(most, energy[i])
	}
	for i, e := range energy {
		if e < partEdge*partEdge*most {
			energy[i] = 0
		}
	}
	return energy
}

// seen is the share of each predicate's part that lies inside.
func (a *Appearance) seen(inside []bool) []float64 {
	shares := make([]float64, a.predicates())
	for p := range shares {
		in, all := 0.0, math.SmallestNonzeroFloat64
		for i, e := range a.edges[p] {
			all += e
			if inside[i] {
				in += e
			}
		}
		shares[p] = in / all
	}
	return shares
}

// within returns the share of each predicate's part that lies inside, and the view of the
// predicates that count: pixels that others change tell nothing.
func (a *Appearance) within(inside []bool) (shares []float64, v view) {
	v, shares = view{slices.Clone(inside), make([]bool, a.predicates())}, a.seen(inside)
	for p := range shares {
		if v.predicates[p] = shares[p] >= partShare; v.predicates[p] {
			continue
		}
		for i, e := range a.edges[p] {
			v.inside[i] = v.inside[i] && e == 0
		}
	}
	for k, both := range a.pairs {
		if v.predicates[both.P] && v.predicates[both.Q] {
			continue
		}
		for i, e := range a.edges[a.predicates()+k] {
			v.inside[i] = v.inside[i] && e == 0
		}
	}
	return shares, v
}

// RecognizePart returns what the pixels of a mask show of an image whose log-odds are known, and
// the predicates that are read from there. The values of the others are of no account. What is
// outside the mask has to look like the world, too, such as another image of it.
func (z *Recognizer) RecognizePart(logits []float32, image []uint8, mask Mask) (Recognition,
	[]strips.Predicate,
) {
	shares, v := z.Appearance.within(mask.small(z.size, z.Appearance.side))
	weighted := make([]float32, len(logits))
	var read []strips.Predicate
	for p, share := range shares {
		weighted[p] = logits[p] * float32(share)
		if v.predicates[p] {
			read = append(read, strips.Predicate(p))
		}
	}
	return z.recognize(logits, weighted, image, v), read
}
