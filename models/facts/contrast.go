package facts

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"stripswm/internal/spread"
	"stripswm/models/dataset"
	"stripswm/models/internal/principal"
	"stripswm/models/pixels"
)

// contrast measures the difference of two images against those of two images of one state, which
// differ by light, camera and noise. It leaves out the directions in which these vary most (the
// modes), and gives each value of a thumbnail in standard deviations of what is left of them.
type contrast struct {
	thumbs []pixels.Thumbnail // by image
	modes  *mat.Dense         // [modes, values], orthonormal; nil without modes
	scale  []float64          // 1 / standard deviation, by value
}

const (
	fitPairs     = 1024 // pairs that a contrast is learned from, at most
	pairsPerMode = 8
)

// thumbnails are those of all images.
func thumbnails(d *dataset.Dataset) (all []pixels.Thumbnail) {
	for i := range d.Images() {
		all = append(all, pixels.NewThumbnail(d.Image(i), d.Size))
	}
	return all
}

// fit learns from pairs of images of one state, with modes or without.
func (c *contrast) fit(pairs []Contradiction, modes bool) {
	pairs = spread.Evenly(pairs, fitPairs)
	c.modes, c.scale = nil, nil
	if modes {
		c.modes = principal.Directions(c.differences(pairs), len(pairs)/pairsPerMode)
	}
	c.scale = scales(c.differences(pairs))
}

// scales are 1 by the standard deviation around 0 of each column.
func scales(rows *mat.Dense) (all []float64) {
	n, values := rows.Dims()
	for v := range values {
		column := rows.ColView(v)
		all = append(all, 1/math.Sqrt(mat.Dot(column, column)/float64(n)+minVariance))
	}
	return all
}

// takeAway takes orthonormal modes from rows; of nil, none.
func takeAway(rows, modes *mat.Dense) {
	if modes == nil {
		return
	}
	var along, shadow mat.Dense
	along.Mul(rows, modes.T())
	shadow.Mul(&along, modes)
	rows.Sub(rows, &shadow)
}

// differences are those of pairs of images [pairs, values], in units where the scale is known.
func (c *contrast) differences(pairs []Contradiction) *mat.Dense {
	d := mat.NewDense(len(pairs), len(c.thumbs[0]), nil)
	for k, p := range pairs {
		row, before, after := d.RawRowView(k), c.thumbs[p.Images[0]], c.thumbs[p.Images[1]]
		for i := range row {
			row[i] = float64(after[i] - before[i])
		}
	}
	takeAway(d, c.modes)
	if c.scale != nil {
		for k := range pairs {
			row := d.RawRowView(k)
			for i := range row {
				row[i] *= c.scale[i]
			}
		}
	}
	return d
}
