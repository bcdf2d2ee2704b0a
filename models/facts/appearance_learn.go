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
	a.learnModes(d, fit, targets)
	a.measureParts()
	a.learnUnits(d, rest, targets)
	return a
}
