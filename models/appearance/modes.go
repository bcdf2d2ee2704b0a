package appearance

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
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
	powerSteps   = 2
	// seedModes is the seed of the first directions; the stream is the number of modes.
	seedModes uint64 = 1
)

// newModes finds the modes of differences [images, values] by subspace iteration (Halko,
// Martinsson and Tropp 2011). Equal differences give equal modes.
func newModes(residuals *mat.Dense) modes {
	images, values := residuals.Dims()
	k := min(images/imagesOfMode, values/valuesOfMode)
	if k == 0 {
		return modes{noise: meanSquare(residuals)}
	}
	rng := rand.New(rand.NewPCG(seedModes, uint64(k)))
	basis := mat.NewDense(values, k, nil)
	basis.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, basis)
	var projected, sum mat.Dense
	for range powerSteps {
		basis = orthonormal(basis)
		projected.Mul(residuals, basis)
		sum.Mul(residuals.T(), &projected)
		basis.Copy(&sum)
	}
	basis = orthonormal(basis)
	projected.Mul(residuals, basis)
	var svd mat.SVD
	if !svd.Factorize(&projected, mat.SVDThin) {
		return modes{noise: meanSquare(residuals)}
	}
	var turn, turned mat.Dense
	svd.VTo(&turn)
	turned.Mul(basis, &turn)
	m := modes{basis: &turned, variance: svd.Values(nil)}
	left := meanSquare(residuals) * float64(values)
	for i, v := range m.variance {
		m.variance[i] = v * v / float64(images)
		left -= m.variance[i]
	}
	m.noise = max(0, left) / float64(values-k)
	return m
}

// orthonormal spans the same space.
func orthonormal(m *mat.Dense) *mat.Dense {
	rows, columns := m.Dims()
	var qr mat.QR
	qr.Factorize(m)
	var q mat.Dense
	qr.QTo(&q)
	return mat.DenseCopyOf(q.Slice(0, rows, 0, columns))
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
