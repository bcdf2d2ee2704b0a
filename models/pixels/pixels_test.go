package pixels_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"os"
	"runtime/debug"
	"testing"

	"stripswm/models/pixels"
)

// checkers is an image of fields of side n, red and blue in turn.
func checkers(w, h, n int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.RGBA{200, 0, 0, 255}
			if (x/n+y/n)%2 == 1 {
				c = color.RGBA{0, 0, 100, 255}
			}
			m.SetRGBA(x, y, c)
		}
	}
	return m
}

// at is the colour of a pixel.
func at(p pixels.RGB, x, y int) [3]uint8 { return [3]uint8(p.Pix[3*(y*p.Width+x):]) }

func TestGoImages(t *testing.T) {
	m := checkers(8, 4, 4)
	p := pixels.FromImage(m)
	if p.Width != 8 || p.Height != 4 || at(p, 0, 0) != [3]uint8{200, 0, 0} ||
		at(p, 4, 0) != [3]uint8{0, 0, 100} {
		t.Errorf("%dx%d, pixels %v %v", p.Width, p.Height, at(p, 0, 0), at(p, 4, 0))
	}
	if !bytes.Equal(p.Image().Pix, m.Pix) {
		t.Error("Image gives another image than FromImage took")
	}
	part := pixels.FromImage(m.SubImage(image.Rect(4, 1, 8, 3)))
	if part.Width != 4 || part.Height != 2 || at(part, 0, 0) != [3]uint8{0, 0, 100} {
		t.Errorf("a part of an image gave %v", part)
	}
	gray := image.NewGray(image.Rect(2, 3, 4, 5))
	gray.SetGray(3, 4, color.Gray{77})
	if got := pixels.FromImage(gray); got.Width != 2 || at(got, 1, 1) != [3]uint8{77, 77, 77} {
		t.Errorf("a gray image with an offset gave %v", got)
	}
}

// resident is the program's memory, in bytes; OpenCV's is not Go's to count.
func resident(t *testing.T) int {
	t.Helper()
	debug.FreeOSMemory()
	var size, pages int
	data, err := os.ReadFile("/proc/self/statm")
	if err == nil {
		_, err = fmt.Sscan(string(data), &size, &pages)
	}
	if err != nil {
		t.Skip(err)
	}
	return pages * os.Getpagesize()
}

// TestMemoryIsGivenBack would see the 20 MB of Mats left open.
func TestMemoryIsGivenBack(t *testing.T) {
	const side, times, img = 600, 20, 3 * 600 * 600
	file, mosaic := encodePNG(t, image.NewRGBA(image.Rect(0, 0, side, side))), make([]byte,
		2*side*side)
	all := func() {
		for range times {
			_, err := pixels.Decode(file)
			p, err2 := pixels.Raw{Encoding: "bayer_rggb16", Width: side, Height: side, Step: 2 * side,
				Data: mosaic}.RGB()
			_, err3 := p.Square(side-1, pixels.Letterbox)
			if err := errors.Join(err, err2, err3); err != nil {
				t.Fatal(err)
			}
		}
	}
	all()
	before := resident(t)
	all()
	if grown := resident(t) - before; grown > times*img/2 {
		t.Errorf("%d MB more after %d images of %d MB", grown>>20, times, img>>20)
	}
}
