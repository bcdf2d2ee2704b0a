package appearance

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"stripswm/models/internal/principal"
)

// differences are what thumbnails of one node differ by, and the filters of what they do
// not differ by.
type differences struct {
	modes    modes
	variance []float64 // of what the modes leave, by value of a thumbnail
	// filters [changes, values]: the product with a difference is the share of a change in
	// it, by least squares with the covariance of differences (matched filters).
	filters [][]float64
}

// learnDifferences learns modes and variance of residuals [images, values]; noise is the
// sensor's deviation.
func learnDifferences(residuals *mat.Dense, noise float64) differences {
	m := newModes(residuals)
	return differences{modes: m, variance: m.rest(residuals, noise*noise)}
}

// blocksAcross is how many blocks a thumbnail has in a row and in a column.
func blocksAcross(side int) int { return (side + blockSide - 1) / blockSide }

// measures of a difference: of all of it, of its blocks by rows, in deviations, and the
// shares of the changes.
func (d *differences) measures(r []float64, side int) []float64 {
	across := blocksAcross(side)
	blocks := across * across
	out, counts := make([]float64, 1+blocks+len(d.filters)), make([]float64, blocks)
	for i, v := range d.modes.reduce(r) {
		pixel := i / 3
		block := pixel/side/blockSide*across + pixel%side/blockSide
		out[1+block] += v * v / d.variance[i]
		counts[block]++
	}
	for k, n := range counts {
		out[0] += out[1+k] / float64(len(r))
		out[1+k] = math.Sqrt(out[1+k] / n)
	}
	out[0] = math.Sqrt(out[0])
	for k, f := range d.filters {
		out[1+blocks+k] = math.Abs(dot(f, r))
	}
	return out
}

// measureRows measures each of residuals.
func (d *differences) measureRows(residuals *mat.Dense, side int) [][]float64 {
	rows, _ := residuals.Dims()
	out := make([][]float64, rows)
	for k := range rows {
		out[k] = d.measures(residuals.RawRowView(k), side)
	}
	return out
}

// addFilters makes a filter for each part, zeros where it has none.
func (d *differences) addFilters(parts [][]float64) {
	w := d.newWhitening()
	for _, part := range parts {
		filter := w.solve(part)
		power := dot(filter, part)
		for i := range filter {
			if filter[i] /= power; !(power > 0) {
				filter[i] = 0
			}
		}
		d.filters = append(d.filters, filter)
	}
}

// whitening solves with the covariance of differences: of the modes, and of each value by
// itself.
type whitening struct {
	modes   *modes
	inverse []float64  // of the variance of each value
	inner   *mat.Dense // (1/variance + basis' inverse basis)^-1 of Woodbury's formula
}

func (d *differences) newWhitening() whitening {
	w := whitening{modes: &d.modes, inverse: make([]float64, len(d.variance))}
	for i, v := range d.variance {
		w.inverse[i] = 1 / v
	}
	if d.modes.basis == nil {
		return w
	}
	values, k := d.modes.basis.Dims()
	scaled := mat.DenseCopyOf(d.modes.basis)
	for i := range values {
		row := scaled.RawRowView(i)
		for j := range row {
			row[j] *= w.inverse[i]
		}
	}
	var inner mat.Dense
	inner.Mul(d.modes.basis.T(), scaled)
	for j := range k {
		inner.Set(j, j, inner.At(j, j)+1/max(d.modes.variance[j], 1e-12))
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

// modes are the directions in which images of one node differ most from each other, by
// probabilistic principal components (Tipping and Bishop 1999): a difference is modes
// weighted by normal numbers, and noise.
type modes struct {
	basis    *mat.Dense // [values, modes], orthonormal
	variance []float64  // along each mode
	noise    float64    // variance along every other direction
}

// newModes finds the modes of differences [images, values].
func newModes(residuals *mat.Dense) modes {
	images, values := residuals.Dims()
	k := min(images/imagesOfMode, values/valuesOfMode)
	if k == 0 {
		return modes{noise: meanSquare(residuals)}
	}
	directions := principal.Directions(residuals, k)
	if directions == nil {
		return modes{noise: meanSquare(residuals)}
	}
	var along mat.Dense
	along.Mul(residuals, directions.T())
	m := modes{basis: mat.DenseCopyOf(directions.T())}
	for i := range k {
		norm := mat.Norm(along.ColView(i), 2)
		m.variance = append(m.variance, norm*norm/float64(images))
	}
	left := meanSquare(residuals) * float64(values)
	for _, v := range m.variance {
		left -= v
	}
	m.noise = max(0, left) / float64(values-k)
	return m
}

func meanSquare(m *mat.Dense) float64 {
	rows, columns := m.Dims()
	norm := mat.Norm(m, 2)
	return norm * norm / float64(rows*columns)
}

// share is how much of mode k in a difference belongs to the mode and not to noise.
func (m *modes) share(k int) float64 {
	if m.variance[k] == 0 {
		return 0
	}
	return m.variance[k] / (m.variance[k] + m.noise)
}

// reduce is a difference without what the modes explain of it; nil of nil.
func (m *modes) reduce(r []float64) []float64 {
	if m.basis == nil || r == nil {
		return r
	}
	var along, explained mat.VecDense
	x := mat.NewVecDense(len(r), r)
	along.MulVec(m.basis.T(), x)
	for k := range m.variance {
		along.SetVec(k, along.AtVec(k)*m.share(k))
	}
	explained.MulVec(m.basis, &along)
	var reduced mat.VecDense
	reduced.SubVec(x, &explained)
	return reduced.RawVector().Data
}

// rest is the variance of what the modes leave of differences, by value: with the average
// added, since few images tell it, and at least that of the sensor.
func (m *modes) rest(residuals *mat.Dense, sensor float64) []float64 {
	images, values := residuals.Dims()
	variance, average := make([]float64, values), 0.0
	for k := range images {
		for i, v := range m.reduce(residuals.RawRowView(k)) {
			variance[i] += v * v / float64(images)
			average += v * v / float64(images*values)
		}
	}
	for i := range variance {
		variance[i] = max(variance[i]+average, sensor)
	}
	return variance
}
