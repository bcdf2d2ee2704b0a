package facts

import (
	"gonum.org/v1/gonum/mat"

	"stripswm/models/dataset"
	"stripswm/models/pixels"
)

// learnAppearance learns from images and their targets. A quarter of the images sets the units.
func learnAppearance(d *dataset.Dataset, images []int, targets [][]float32) *Appearance {
	var fit, rest []int
	for k, i := range images {
		if k/8%4 == 3 {
			rest = append(rest, i)
		} else {
			fit = append(fit, i)
		}
	}
	side, _ := pixels.ThumbnailShape(d.Size)
	a := &Appearance{side: side}
	m, values := len(targets[images[0]])+1, 3*side*side
	a.mean = make([]float64, m-1)
	for _, i := range fit {
		for p, v := range targets[i] {
			a.mean[p] += float64(v) / float64(len(fit))
		}
	}
	x, y := mat.NewDense(len(fit), m, nil), mat.NewDense(len(fit), values, nil)
	for k, i := range fit {
		x.SetRow(k, a.features(targets[i]))
		for v, value := range pixels.NewThumbnail(d.Image(i), d.Size) {
			y.Set(k, v, float64(value))
		}
	}
	var gram, moment mat.Dense
	gram.Mul(x.T(), x)
	moment.Mul(x.T(), y)
	for p := range m - 1 {
		gram.Set(p, p, gram.At(p, p)+ridge)
	}
	a.parts = &mat.Dense{}
	if err := a.parts.Solve(&gram, &moment); err != nil {
		a.parts = mat.NewDense(m, values, nil) // not reached: the ridge makes the matrix regular
	}
	a.measureParts()
	a.learnBlocks(x, y)
	a.learnUnits(d, rest, targets)
	return a
}

// learnBlocks learns the covariance of what is left in each block.
func (a *Appearance) learnBlocks(x, y *mat.Dense) {
	var left mat.Dense
	left.Mul(x, a.parts)
	left.Sub(y, &left)
	n, _ := left.Dims()
	for b := range a.blockCount() {
		index := a.block(b)
		sum := mat.NewSymDense(len(index), nil)
		values := mat.NewVecDense(len(index), nil)
		for k := range n {
			row := left.RawRowView(k)
			for i, v := range index {
				values.SetVec(i, row[v])
			}
			sum.SymRankOne(sum, 1/float64(n), values)
		}
		for i := range index {
			sum.SetSym(i, i, sum.At(i, i)+minVariance)
		}
		var c mat.Cholesky
		inverse := mat.NewSymDense(len(index), nil)
		if !c.Factorize(sum) || c.InverseTo(inverse) != nil {
			inverse = mat.NewSymDense(len(index), nil) // not reached: the variance is positive
		}
		a.inverse = append(a.inverse, inverse)
	}
}
