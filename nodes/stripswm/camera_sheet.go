package main

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"

	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"

	"stripswm/models/pixels"
	"stripswm/models/vision"
)

// Of a camera's sheet, pixels.
const (
	sheetHeight = 480 // of the image, whatever its size; the two beside it share it
	sheetLine   = 18  // of text
	amplified   = 20  // times, differences
)

var (
	sheetPaper = color.Gray{30}
	sheetInk   = color.RGBA{255, 255, 255, 255}
	sheetGrid  = color.RGBA{255, 255, 255, 70}
	sheetFrame = color.RGBA{255, 200, 0, 255}
	sheetShade = color.RGBA{0, 0, 0, 130}
)

// sheet writes a PNG: the last image with grid and region, and beside it what a network sees and
// what changed.
func (l *looker) sheet(w io.Writer) error {
	width := max(sheetHeight*l.Width/l.Height, 64)
	half := (sheetHeight - sheetLine) / 2
	out := image.NewRGBA(image.Rect(0, 0, width+half, sheetHeight+sheetLine))
	draw.Draw(out, out.Rect, image.NewUniform(sheetPaper), image.Point{}, draw.Src)
	whole := image.Rect(0, 0, width, sheetHeight)
	draw.BiLinear.Scale(out, whole, l.last.Image(), image.Rect(0, 0, l.Width, l.Height), draw.Src, nil)
	l.mark(out, whole)
	label(out, 4, sheetHeight, fmt.Sprintf("%s, tenths; region %s", l.Source,
		regionText(l.camera.Region)))

	preset, err := vision.PresetByName(vision.DefaultPreset)
	if err != nil {
		return err
	}
	small, err := pixels.Frame{Side: preset.ImageSize(), Fit: pixels.Letterbox, Camera: l.camera}.Of(
		l.last)
	if err != nil {
		return err
	}
	draw.NearestNeighbor.Scale(out, image.Rect(width, 0, width+half, half), small.Image(),
		image.Rect(0, 0, small.Width, small.Height), draw.Src, nil)
	label(out, width+4, half, fmt.Sprintf("what a network sees, %d wide", small.Width))
	changes := l.changes()
	draw.BiLinear.Scale(out, image.Rect(width, half+sheetLine, width+half, sheetHeight), changes,
		changes.Rect, draw.Src, nil)
	label(out, width+4, sheetHeight, fmt.Sprintf("first to last, x%d", amplified))
	return png.Encode(w, out)
}

// mark draws a grid of tenths and the region, and shades the rest.
func (l *looker) mark(out *image.RGBA, at image.Rectangle) {
	x0, y0, x1, y1 := l.camera.Region.Bounds(at.Dx(), at.Dy())
	fill := func(x0, y0, x1, y1 int, c color.Color) {
		draw.Draw(out, image.Rect(x0, y0, x1, y1), image.NewUniform(c), image.Point{}, draw.Over)
	}
	fill(0, 0, at.Dx(), y0, sheetShade)
	fill(0, y1, at.Dx(), at.Dy(), sheetShade)
	fill(0, y0, x0, y1, sheetShade)
	fill(x1, y0, at.Dx(), y1, sheetShade)
	for i := 1; i < 10; i++ {
		x, y := i*at.Dx()/10, i*at.Dy()/10
		fill(x, 0, x+1, at.Dy(), sheetGrid)
		fill(0, y, at.Dx(), y+1, sheetGrid)
	}
	const thick = 2
	fill(x0, y0, x1, y0+thick, sheetFrame)
	fill(x0, y1-thick, x1, y1, sheetFrame)
	fill(x0, y0, x0+thick, y1, sheetFrame)
	fill(x1-thick, y0, x1, y1, sheetFrame)
}

// changes is how far the region's pixels of the first and the last image differ, in grey levels,
// amplified.
func (l *looker) changes() *image.Gray {
	x0, y0, x1, y1 := l.camera.Region.Bounds(l.Width, l.Height)
	m := image.NewGray(image.Rect(0, 0, x1-x0, y1-y0))
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			sum, at := 0, 3*(y*l.Width+x)
			for c := range 3 {
				sum += int(l.last.Pix[at+c]) - int(l.first.Pix[at+c])
			}
			m.SetGray(x-x0, y-y0, color.Gray{Y: uint8(min(max(sum, -sum)*amplified/3, 255))})
		}
	}
	return m
}

func regionText(r pixels.Region) string {
	if r == (pixels.Region{}) {
		return "all"
	}
	return r.String()
}

func label(out draw.Image, x, y int, text string) {
	d := font.Drawer{Dst: out, Src: image.NewUniform(sheetInk), Face: basicfont.Face7x13,
		Dot: fixed.P(x, y+basicfont.Face7x13.Ascent+2)}
	d.DrawString(text)
}
