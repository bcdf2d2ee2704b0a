package camera

import (
	"fmt"
	"math"

	"stripswm/nodes/sim/scene"
)

// paint draws a sheet, mark by mark. A pixel takes as much of a mark's colour as the mark covers of
// it, judged by how far its border is.
func (f *frame) paint(s *scene.Scene, w, h int) error {
	sheet := s.Sheet
	if !(sheet.Zoom > 0) {
		return fmt.Errorf("sheet of zoom %.3f: it must be above 0", sheet.Zoom)
	}
	f.w, f.h, f.scene = w, h, s
	f.view = view{focal: float64(min(w, h)) / 2, cx: float64(w) / 2, cy: float64(h) / 2}
	f.pixels = resize(f.pixels, w*h)
	ground := pack(sheet.Ground)
	for i := range f.pixels {
		f.pixels[i] = ground
	}
	for i := range sheet.Marks {
		if sheet.Marks[i].Figure == nil {
			return fmt.Errorf("mark %d has no figure", i)
		}
		f.mark(sheet, &sheet.Marks[i])
	}
	f.shade(sheet.Shade)
	return nil
}

// mark paints one of the sheet's marks.
func (f *frame) mark(sheet *scene.Sheet, m *scene.Mark) {
	pixel := 1 / (f.view.focal * sheet.Zoom) // its side on the sheet
	border := max(pixel, m.Soft)
	// Where the figure's middle is seen, in pixels, and how far around it may be.
	at := sheet.At.Add(scene.Yaw(sheet.Turn).Apply(m.At).Scale(sheet.Zoom))
	cx, cy := f.view.cx+f.view.focal*at.X, f.view.cy-f.view.focal*at.Y
	half := m.Figure.Half()
	sin, cos := math.Sincos(sheet.Turn + m.Turn)
	reachX := (math.Abs(cos)*half.X+math.Abs(sin)*half.Y+border/2)/pixel + 1
	reachY := (math.Abs(sin)*half.X+math.Abs(cos)*half.Y+border/2)/pixel + 1
	for j := max(0, int(cy-reachY)); j < min(f.h, int(cy+reachY)+1); j++ {
		for i := max(0, int(cx-reachX)); i < min(f.w, int(cx+reachX)+1); i++ {
			u, v := (float64(i)+0.5-cx)*pixel, (cy-float64(j)-0.5)*pixel
			x, y := cos*u+sin*v, cos*v-sin*u
			cover := min(1, max(0, 0.5-m.Figure.Distance(x, y)/border))
			if cover == 0 {
				continue
			}
			if m.Soft > 0 {
				cover = fade(cover)
			}
			lay(&f.pixels[j*f.w+i], pack(dye(&m.Paint, x, y, pixel)), float32(cover), m.Glow)
		}
	}
}

func lay(p *texel, c texel, cover float32, glow bool) {
	keep := 1 - cover
	if glow {
		keep = 1
	}
	for k := range 3 {
		p[k] = keep*p[k] + cover*c[k]
	}
}

// dye returns a paint's colour at a point of the mark, for a pixel of that side.
func dye(p *scene.Paint, x, y, pixel float64) scene.Vec {
	k := 0.0
	switch p.Pattern {
	case scene.Checks:
		a, b := checks(x/p.Size, pixel/p.Size), checks(y/p.Size, pixel/p.Size)
		k = a*(1-b) + b*(1-a)
	case scene.Grain:
		x, y = x/(12*p.Size), y/p.Size
		k = 0.5 + 0.5*valueNoise(x, y+0.8*valueNoise(0.7*x, 0.15*y, p.Seed+1), p.Seed)
	}
	return p.Color.Mix(p.Other, k)
}

// checks is 0 and 1 in turn on stretches of length one, with borders as wide as a pixel.
func checks(x, pixel float64) float64 {
	x -= 2 * math.Floor(x/2) // 0 up to 2: the border to 1 is at 1, those to 0 at 0 and 2
	fromMiddle := math.Abs(x - 1.5)
	if fromMiddle > 1 {
		fromMiddle = 2 - fromMiddle
	}
	return min(1, max(0, 0.5+(0.5-fromMiddle)/pixel))
}

// shade lights the image unevenly.
func (f *frame) shade(by scene.Vec) {
	if by == (scene.Vec{}) {
		return
	}
	for j := range f.h {
		y := (f.view.cy - float64(j) - 0.5) / f.view.focal
		for i := range f.w {
			x := (float64(i) + 0.5 - f.view.cx) / f.view.focal
			light := float32(max(0, 1+by.X*x+by.Y*y))
			p := &f.pixels[j*f.w+i]
			p[0], p[1], p[2] = light*p[0], light*p[1], light*p[2]
		}
	}
}
