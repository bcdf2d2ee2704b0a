package facts

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"stripswm/models/pixels"
)

// Appearance models what the image of a predicate vector looks like, also of one that was never
// recorded: a thumbnail is a sum of parts, one for each predicate that is true (linear regression).
// Of what is left, modes are taken away: the directions in which images vary with light and camera,
// and those in which they vary where a predicate is true, since an object does not always stand in
// exactly the same way. The rest counts in standard deviations. Each part is a filter: an object
// that is missing or doubled looks like a part, and one off its place like a part that is moved. A
// measure of 1 is what few images exceed.
type Appearance struct {
	side    int
	parts   *mat.Dense    // [predicates + 1, values], the last always there
	mean    []float64     // of each predicate in training
	gram    *mat.SymDense // products of all modes, the common ones first
	first   []int         // mode of each predicate in it
	common  *mat.Dense    // modes of all images [modes, values], orthonormal; nil if none
	modes   []*mat.Dense  // of each predicate [modes, values], orthonormal; nil if none
	scale   []float64     // 1 / standard deviation of what is left of a value
	scaled  *mat.Dense    // parts in these units [predicates, values]
	norms   []float64     // of scaled, squared
	moved   []*mat.Dense  // [predicates, values]: a moved scaled part less the part, by direction
	filters [2]unit       // unit of filters of false and of true predicates
	shifts  []unit        // unit of moved parts of true predicates, by direction
	block   float64       // unit of the greatest block
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

// measureParts sets what follows from parts and scale.
func (a *Appearance) measureParts() {
	a.scaled = mat.NewDense(len(a.mean), 3*a.side*a.side, nil)
	for p := range a.mean {
		row := a.scaled.RawRowView(p)
		for i, v := range a.parts.RawRowView(p) {
			row[i] = v * a.scale[i]
		}
		a.norms = append(a.norms, dot(row, row)+ridge)
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
				to[i] = (to[i] - from[i]) * a.scale[i]
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

// measures of an image.
type measures struct {
	block   float64     // the greatest sum of squares in one
	filters []float64   // by predicate
	shifts  [][]float64 // by direction and predicate; of those that are false none counts
}

// measure measures what is left of an image that shows a target, inside or everywhere.
func (a *Appearance) measure(image []uint8, size int, target []float32,
	inside []bool,
) (m measures) {
	raw := within(a.left(image, size, target), inside)
	a.clean(raw, target, inside)
	for i := range raw {
		raw[i] *= a.scale[i]
	}
	m.block = a.greatestBlock(raw)
	for p, norm := range a.norms {
		m.filters = append(m.filters, math.Abs(dot(a.scaled.RawRowView(p), raw))/norm)
	}
	for _, moved := range a.moved {
		shift := make([]float64, len(target))
		for p, v := range target {
			if v == 1 {
				row := moved.RawRowView(p)
				shift[p] = max(0, dot(row, raw)) / (dot(row, row) + ridge)
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
	m := a.measure(image, size, target, seen.inside)
	far := m.block / a.block
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

// left is what parts leave of an image.
func (a *Appearance) left(image []uint8, size int, target []float32) []float64 {
	sum := mat.NewVecDense(3*a.side*a.side, nil)
	sum.MulVec(a.parts.T(), mat.NewVecDense(len(target)+1, a.features(target)))
	raw := sum.RawVector().Data
	for v, value := range pixels.NewThumbnail(image, size) {
		raw[v] = float64(value) - raw[v]
	}
	return raw
}

// within are the values inside, 0 elsewhere; all of them where inside is nil.
func within(values []float64, inside []bool) []float64 {
	if inside == nil {
		return values
	}
	some := make([]float64, len(values))
	for i, v := range values {
		if inside[i/3] {
			some[i] = v
		}
	}
	return some
}

// greatestBlock is the greatest sum of squares in a block; blocks overlap by half.
func (a *Appearance) greatestBlock(left []float64) (most float64) {
	for y := 0; y+blockSide <= a.side; y += blockSide / 2 {
		for x := 0; x+blockSide <= a.side; x += blockSide / 2 {
			sum := 0.0
			for row := y; row < y+blockSide; row++ {
				values := left[3*(row*a.side+x) : 3*(row*a.side+x+blockSide)]
				sum += dot(values, values)
			}
			most = max(most, sum)
		}
	}
	return most
}

func dot(a, b []float64) (sum float64) {
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}
