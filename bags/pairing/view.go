package pairing

// cells is the side of a View's grid.
const cells = 16

// A View is a frame in small: the mean grey level (0 to 255) of each cell of a
// grid, in which sensor noise averages out and a moved object does not.
type View [cells * cells]float32

// samples is how many pixels a side are averaged in a cell, at most.
const samples = 5

// ViewOf looks at an image of width x height pixels of 3 bytes, row by row. Grey
// is the plain mean of the three: motion needs no colorimetry.
func ViewOf(rgb []uint8, width, height int) View {
	var v View
	for i := range v {
		x0, x1 := span(i%cells, width)
		y0, y1 := span(i/cells, height)
		dx, dy := (x1-x0+samples-1)/samples, (y1-y0+samples-1)/samples
		sum, n := 0, 0
		for y := y0; y < y1; y += dy {
			for x := x0; x < x1; x += dx {
				p := rgb[3*(y*width+x):]
				sum += int(p[0]) + int(p[1]) + int(p[2])
				n += 3
			}
		}
		v[i] = float32(sum) / float32(n)
	}
	return v
}

// span is the pixels of cell i along a side, one at least.
func span(i, side int) (from, to int) {
	from = i * side / cells
	return from, max((i+1)*side/cells, from+1)
}

// Motion is the largest change of a cell between two views, in grey levels.
func (v *View) Motion(w *View) float64 {
	most := float32(0)
	for i := range v {
		most = max(most, v[i]-w[i], w[i]-v[i])
	}
	return float64(most)
}

// Contrast is the difference of the brightest and the darkest cell, in grey
// levels. A covered or black camera has next to none.
func (v *View) Contrast() float64 {
	low, high := v[0], v[0]
	for _, level := range v {
		low, high = min(low, level), max(high, level)
	}
	return float64(high - low)
}
