package facts

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"stripswm/models/dataset"
	"stripswm/models/pixels"
)

// Appearance models what the image of a predicate vector looks like, also of one that was never
// recorded: a thumbnail is a sum of parts, one for each predicate that is true (linear regression).
// What is left has a covariance in each block of pixels, and each part is a filter: an object that
// is missing or doubled looks like a part. A measure of 1 is what few images exceed.
type Appearance struct {
	side    int
	parts   *mat.Dense // [predicates + 1, values], the last always there
	norms   []float64  // of the parts, squared
	inverse []*mat.SymDense
	mean    []float64 // of each predicate in training
	filters [2]unit   // unit of filters of false and of true predicates
	blocks  unit      // unit of each block
}

// unit is what few images exceed, by measure.
type unit []float64

const (
	ridge     = 1.0 // observations of nothing, beside those of a part
	blockSide = 4   // of a block, thumbnail's pixels
	// minVariance of a value that is left: four grey levels of a mean of 128.
	minVariance = (4.0 / 128) * (4.0 / 128)
	unitShare   = 0.005 // of images that exceed a unit
	minUnits    = 20    // images that a unit of its own needs
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

// measureParts sets the norms.
func (a *Appearance) measureParts() {
	for p := range a.mean {
		row := a.parts.RawRowView(p)
		a.norms = append(a.norms, dot(row, row)+ridge*minVariance)
	}
}

func (a *Appearance) features(target []float32) []float64 {
	row := make([]float64, len(target)+1)
	for p, v := range target {
		row[p] = float64(v) - a.mean[p]
	}
	row[len(target)] = 1
	return row
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

func (a *Appearance) blockCount() int {
	each := a.side / blockSide
	return each * each
}

// block are the values of a block.
func (a *Appearance) block(b int) (index []int) {
	each := a.side / blockSide
	for y := range blockSide {
		for x := range 3 * blockSide {
			index = append(index, 3*((b/each*blockSide+y)*a.side+b%each*blockSide)+x)
		}
	}
	return index
}

// measure returns the block measures and the filters of an image that shows a target.
func (a *Appearance) measure(image []uint8, size int, target []float32) (blocks, filters []float64) {
	left := mat.NewVecDense(3*a.side*a.side, nil)
	left.MulVec(a.parts.T(), mat.NewVecDense(len(target)+1, a.features(target)))
	raw := left.RawVector().Data
	for v, value := range pixels.NewThumbnail(image, size) {
		raw[v] = float64(value) - raw[v]
	}
	for b, inverse := range a.inverse {
		index := a.block(b)
		values := mat.NewVecDense(len(index), nil)
		for i, v := range index {
			values.SetVec(i, raw[v])
		}
		blocks = append(blocks, mat.Inner(values, inverse, values))
	}
	for p, norm := range a.norms {
		filters = append(filters, math.Abs(dot(a.parts.RawRowView(p), raw))/norm)
	}
	return blocks, filters
}

// learnUnits sets the units by images that the parts were not learned from.
func (a *Appearance) learnUnits(d *dataset.Dataset, images []int, targets [][]float32) {
	blocks := make([][]float64, len(a.inverse))
	filters := [2][][]float64{make([][]float64, len(a.norms)), make([][]float64, len(a.norms))}
	for _, i := range images {
		b, f := a.measure(d.Image(i), d.Size, targets[i])
		for k, v := range b {
			blocks[k] = append(blocks[k], v)
		}
		for p, v := range f {
			is := 0
			if targets[i][p] == 1 {
				is = 1
			}
			filters[is][p] = append(filters[is][p], v)
		}
	}
	a.blocks = units(blocks)
	a.filters = [2]unit{units(filters[0]), units(filters[1])}
}

// units are what unitShare of the values exceed; where there are few, the greatest unit.
func units(measures [][]float64) unit {
	all, greatest := make(unit, len(measures)), 0.0
	for k, values := range measures {
		if len(values) < minUnits {
			continue
		}
		slices.Sort(values)
		all[k] = values[len(values)-1-int(unitShare*float64(len(values)))]
		greatest = max(greatest, all[k])
	}
	for k := range all {
		if all[k] == 0 {
			all[k] = max(greatest, 1e-9)
		}
	}
	return all
}

// Distance is how far an image of size x size pixels is from what a vector looks like: the greatest
// measure in its unit.
func (a *Appearance) Distance(image []uint8, size int, values []bool) float64 {
	target := make([]float32, len(values))
	for p, v := range values {
		if v {
			target[p] = 1
		}
	}
	blocks, filters := a.measure(image, size, target)
	far := 0.0
	for b, v := range blocks {
		far = max(far, v/a.blocks[b])
	}
	for p, v := range filters {
		is := 0
		if values[p] {
			is = 1
		}
		far = max(far, v/a.filters[is][p])
	}
	return far
}

func dot(a, b []float64) (sum float64) {
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}
