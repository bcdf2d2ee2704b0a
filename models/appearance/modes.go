package appearance

import (
	"gonum.org/v1/gonum/mat"

	"stripswm/models/internal/principal"
)

// modes are the directions in which images of one node differ most from each other, by
// probabilistic principal components (Tipping and Bishop 1999): a difference is modes
// weighted by normal numbers, and noise.
type modes struct {
	basis    *mat.Dense // [values, modes], orthonormal
	variance []float64  // along each mode
	noise    float64    // variance along every other direction
}

// Sizes of modes.
const (
	imagesOfMode = 5  // images for each mode, so that none is one image's alone
	valuesOfMode = 24 // values for each mode, so that modes do not explain everything
)

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
