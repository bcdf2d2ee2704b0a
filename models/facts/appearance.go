package facts

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"stripswm/models/pixels"
)

// Appearance models what the image of a predicate vector looks like, also of one that was never
// recorded: a thumbnail is a sum of parts, one for each predicate that is true (linear regression).
// What is left has a covariance in each block of pixels, and each part is a filter: an object that
// is missing or doubled looks like a part, and one off its place like a part that is moved. A
// measure of 1 is what few images exceed.
type Appearance struct {
	side    int
	parts   *mat.Dense // [predicates + 1, values], the last always there
	norms   []float64  // of the parts, squared
	inverse []*mat.SymDense
	mean    []float64    // of each predicate in training
	moved   []*mat.Dense // [predicates, values]: a moved part less the part, by direction
	filters [2]unit      // unit of filters of false and of true predicates
	shifts  []unit       // unit of moved parts of true predicates, by direction
	blocks  unit         // unit of each block
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

// directions are those in which a part is moved, thumbnail's pixels.
var directions = [][2]int{{2, 0}, {-2, 0}, {0, 2}, {0, -2}}

// measureParts sets the norms and the moved parts.
func (a *Appearance) measureParts() {
	for p := range a.mean {
		row := a.parts.RawRowView(p)
		a.norms = append(a.norms, dot(row, row)+ridge*minVariance)
	}
	for _, by := range directions {
		moved := mat.NewDense(len(a.mean), 3*a.side*a.side, nil)
		for p := range a.mean {
			from, to := a.parts.RawRowView(p), moved.RawRowView(p)
			for i := range to {
				x, y := i/3%a.side-by[0], i/3/a.side-by[1]
				if min(x, y) >= 0 && max(x, y) < a.side {
					to[i] = from[3*(y*a.side+x)+i%3]
				}
				to[i] -= from[i]
			}
		}
		a.moved = append(a.moved, moved)
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

// measures of an image.
type measures struct {
	blocks  []float64
	filters []float64   // by predicate
	shifts  [][]float64 // by direction and predicate; of those that are false none counts
}

// measure measures what is left of an image that shows a target, inside or everywhere.
func (a *Appearance) measure(image []uint8, size int, target []float32,
	inside []bool,
) (m measures) {
	left := mat.NewVecDense(3*a.side*a.side, nil)
	left.MulVec(a.parts.T(), mat.NewVecDense(len(target)+1, a.features(target)))
	raw := left.RawVector().Data
	for v, value := range pixels.NewThumbnail(image, size) {
		raw[v] = float64(value) - raw[v]
		if inside != nil && !inside[v/3] {
			raw[v] = 0
		}
	}
	for b, inverse := range a.inverse {
		index := a.block(b)
		values := mat.NewVecDense(len(index), nil)
		for i, v := range index {
			values.SetVec(i, raw[v])
		}
		m.blocks = append(m.blocks, mat.Inner(values, inverse, values))
	}
	for p, norm := range a.norms {
		m.filters = append(m.filters, math.Abs(dot(a.parts.RawRowView(p), raw))/norm)
	}
	for _, moved := range a.moved {
		shift := make([]float64, len(target))
		for p, v := range target {
			if v == 1 {
				row := moved.RawRowView(p)
				shift[p] = max(0, dot(row, raw)) / (dot(row, row) + ridge*minVariance)
			}
		}
		m.shifts = append(m.shifts, shift)
	}
	return m
}

// view is the part of an image that counts: all of it, of the zero view.
type view struct {
	inside     []bool // of the thumbnail's pixels
	predicates []bool // of which the image says something
}

func (v view) counts(predicate int) bool { return v.predicates == nil || v.predicates[predicate] }

// distance is how far an image of size x size pixels is from what a vector looks like: the greatest
// measure in its unit.
func (a *Appearance) distance(image []uint8, size int, values []bool, seen view) float64 {
	target := make([]float32, len(values))
	for p, v := range values {
		if v {
			target[p] = 1
		}
	}
	m, far := a.measure(image, size, target, seen.inside), 0.0
	for b, v := range m.blocks {
		far = max(far, v/a.blocks[b])
	}
	for p, v := range m.filters {
		if !seen.counts(p) {
			continue
		}
		is := 0
		if values[p] {
			is = 1
		}
		far = max(far, v/a.filters[is][p])
	}
	for k, shift := range m.shifts {
		for p, v := range shift {
			if seen.counts(p) {
				far = max(far, v/a.shifts[k][p])
			}
		}
	}
	return far
}

func dot(a, b []float64) (sum float64) {
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}
