package pairing

import (
	"image"
	"image/color"

	"stripswm/msgs"
)

// cells is the side of a View's grid.
const cells = 16

// A View is a frame in small: the mean grey level (0 to 255) of each cell of a
// grid, in which sensor noise averages out and a moved object does not.
type View [cells * cells]float32

// samples is how many pixels a side are averaged in a cell, at most.
const samples = 5

// ViewOf looks at any image.
func ViewOf(m image.Image) View {
	r := m.Bounds()
	return view(r.Dx(), r.Dy(), func(x, y int) float32 {
		return float32(color.GrayModel.Convert(m.At(r.Min.X+x, r.Min.Y+y)).(color.Gray).Y)
	})
}

// ViewOfRaw looks at an image message without decoding it. It fails with
// msgs.ErrImage as decoding would.
func ViewOfRaw(m *msgs.Image) (View, error) {
	if err := m.Check(); err != nil {
		return View{}, err
	}
	w, h, step := int(m.Width), int(m.Height), int(m.Step)
	switch m.Encoding {
	case msgs.RGB8, msgs.BGR8:
		return view(w, h, grey(m.Data, step, 3)), nil
	case msgs.RGBA8, msgs.BGRA8:
		return view(w, h, grey(m.Data, step, 4)), nil
	case msgs.Mono8:
		return view(w, h, func(x, y int) float32 { return float32(m.Data[y*step+x]) }), nil
	}
	decoded, err := m.Decode()
	if err != nil {
		return View{}, err
	}
	return ViewOf(decoded), nil
}

// grey is the plain mean of three channels: motion needs no colorimetry.
func grey(data []byte, step, channels int) func(x, y int) float32 {
	return func(x, y int) float32 {
		p := data[y*step+x*channels:]
		return (float32(p[0]) + float32(p[1]) + float32(p[2])) / 3
	}
}

func view(w, h int, at func(x, y int) float32) View {
	var v View
	for i := range v {
		x0, x1 := span(i%cells, w)
		y0, y1 := span(i/cells, h)
		dx, dy := (x1-x0+samples-1)/samples, (y1-y0+samples-1)/samples
		sum, n := float32(0), 0
		for y := y0; y < y1; y += dy {
			for x := x0; x < x1; x += dx {
				sum += at(x, y)
				n++
			}
		}
		v[i] = sum / float32(n)
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
