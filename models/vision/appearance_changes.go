package vision

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"stripswm/models/strips"
)

// change is a connected part of an image that a skill changes: an object that is there
// before and not after, or half of it. The filter finds it in a difference: its product with
// a difference is the share of the change in it, by least squares with the differences'
// covariance (a matched filter), in units of what one held-out image in 200 exceeds.
type change struct{ filter []float64 }

// Limits of changes.
const (
	changeImages  = 4    // of a node, of whose mean changes are computed
	changeEdge    = 0.25 // of the greatest deviation: where less changes, is no part of it
	leastChange   = 1    // deviations, that a part changes at least
	changeValues  = 6    // pixels of a thumbnail, that a part has at least
	sameCosine    = 0.8  // cosine, from which two changes are one
	maxChanges    = 4096 // of an Appearance: 12 kB each
	clearestShare = 0.1  // of a change, that is never told from nothing
	clearShare    = 0.6  // of a change, above which a filter tells nothing
)

// findChanges compares the nodes before and after each transition.
func (a *Appearance) findChanges(d *Dataset, nodes []strips.StateID, held *mat.Dense) []change {
	whitened := a.newWhitening()
	seen := map[[2]strips.StateID]bool{}
	var parts [][]float64
	for _, t := range d.Transitions {
		s, u := nodes[t.Before], nodes[t.After]
		pair := [2]strips.StateID{min(s, u), max(s, u)}
		if s < 0 || u < 0 || s == u || seen[pair] || min(a.images[s], a.images[u]) < changeImages {
			continue
		}
		seen[pair] = true
		for _, part := range a.parts(s, u) {
			if !slices.ContainsFunc(parts, func(p []float64) bool { return sameChange(p, part) }) {
				parts = append(parts, part)
			}
		}
	}
	side, _ := lookShape(a.size)
	var found []change
	for _, part := range parts {
		for _, p := range append(halves(part, side), part) {
			if c, ok := whitened.filter(p, held); ok && len(found) < maxChanges {
				found = append(found, c)
			}
		}
	}
	return found
}

func sameChange(a, b []float64) bool {
	return math.Abs(dot(a, b)) > sameCosine*math.Sqrt(dot(a, a)*dot(b, b))
}

func dot(a, b []float64) (sum float64) {
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// parts are the connected parts in which the means of two nodes differ.
func (a *Appearance) parts(s, u strips.StateID) (parts [][]float64) {
	side, _ := lookShape(a.size)
	strength, most := make([]float64, side*side), 0.0
	for i, v := range a.means[s] {
		by := math.Abs(a.means[u][i]-v) / math.Sqrt(a.variance[i])
		strength[i/3] = max(strength[i/3], by)
		most = max(most, by)
	}
	changed := make([]bool, side*side)
	for p, v := range strength {
		if v > max(changeEdge*most, leastChange) {
			around(p, side, func(q int) { changed[q] = true })
		}
	}
	for p := range changed {
		if !changed[p] {
			continue
		}
		region := flood(p, side, changed)
		if len(region) < changeValues {
			continue
		}
		part := make([]float64, len(a.means[s]))
		for _, q := range region {
			for i := 3 * q; i < 3*q+3; i++ {
				part[i] = a.means[u][i] - a.means[s][i]
			}
		}
		parts = append(parts, part)
	}
	return parts
}

// around visits a pixel and those around it.
func around(p, side int, visit func(q int)) {
	for y := max(0, p/side-1); y <= min(side-1, p/side+1); y++ {
		for x := max(0, p%side-1); x <= min(side-1, p%side+1); x++ {
			visit(y*side + x)
		}
	}
}

// flood takes the connected pixels that are set, and clears them.
func flood(from, side int, set []bool) []int {
	set[from] = false
	region := []int{from}
	for i := 0; i < len(region); i++ {
		around(region[i], side, func(q int) {
			if set[q] {
				set[q] = false
				region = append(region, q)
			}
		})
	}
	return region
}

// halves of a part: left, right, upper and lower of its middle.
func halves(part []float64, side int) [][]float64 {
	var weight, x, y float64
	for i, v := range part {
		weight += v * v
		x += v * v * float64(i/3%side)
		y += v * v * float64(i/3/side)
	}
	cut := func(in func(px, py float64) bool) []float64 {
		half := make([]float64, len(part))
		for i, v := range part {
			if in(float64(i/3%side), float64(i/3/side)) {
				half[i] = v
			}
		}
		return half
	}
	x, y = x/weight, y/weight
	return [][]float64{
		cut(func(px, _ float64) bool { return px < x }), cut(func(px, _ float64) bool { return px >= x }),
		cut(func(_, py float64) bool { return py < y }), cut(func(_, py float64) bool { return py >= y }),
	}
}

// whitening solves with the covariance of differences: of the modes, and of each value by
// itself.
type whitening struct {
	modes   *modes
	inverse []float64  // of the variance of each value
	inner   *mat.Dense // (1/variance + basis' inverse basis)^-1 of Woodbury's formula
}

func (a *Appearance) newWhitening() whitening {
	w := whitening{modes: &a.modes, inverse: make([]float64, len(a.variance))}
	for i, v := range a.variance {
		w.inverse[i] = 1 / v
	}
	if a.modes.basis == nil {
		return w
	}
	values, k := a.modes.basis.Dims()
	scaled := mat.DenseCopyOf(a.modes.basis)
	for i := range values {
		row := scaled.RawRowView(i)
		for j := range row {
			row[j] *= w.inverse[i]
		}
	}
	var inner mat.Dense
	inner.Mul(a.modes.basis.T(), scaled)
	for j := range k {
		inner.Set(j, j, inner.At(j, j)+1/max(a.modes.variance[j], 1e-12))
	}
	w.inner = new(mat.Dense)
	if err := w.inner.Inverse(&inner); err != nil {
		w.inner = nil
	}
	return w
}

// solve is the product of the covariance's inverse with a part.
func (w *whitening) solve(part []float64) []float64 {
	solved := make([]float64, len(part))
	for i, v := range part {
		solved[i] = v * w.inverse[i]
	}
	if w.inner == nil {
		return solved
	}
	var along, inner, back mat.VecDense
	along.MulVec(w.modes.basis.T(), mat.NewVecDense(len(solved), slices.Clone(solved)))
	inner.MulVec(w.inner, &along)
	back.MulVec(w.modes.basis, &inner)
	for i := range solved {
		solved[i] -= back.AtVec(i) * w.inverse[i]
	}
	return solved
}

// filter finds a part in differences; ok is false where held-out ones have so much of it
// that it tells nothing.
func (w *whitening) filter(part []float64, held *mat.Dense) (c change, ok bool) {
	solved := w.solve(part)
	power := dot(solved, part)
	if !(power > 0) {
		return c, false
	}
	rows, _ := held.Dims()
	shares := make([]float64, rows)
	for k := range rows {
		shares[k] = math.Abs(dot(solved, held.RawRowView(k))) / power
	}
	slices.Sort(shares)
	unit := max(clearestShare, shares[rows*199/200])
	if unit > clearShare {
		return c, false
	}
	for i := range solved {
		solved[i] /= power * unit
	}
	return change{solved}, true
}
