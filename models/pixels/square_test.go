package pixels_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"testing"

	"stripswm/models/pixels"
)

func TestSquareAverages(t *testing.T) {
	p := pixels.FromImage(checkers(32, 16, 1)) // alternating: the average is half of each
	mean := [3]uint8{100, 0, 50}
	for _, fit := range []pixels.Fit{pixels.Stretch, pixels.Letterbox} {
		small, err := p.Square(4, fit)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 16 {
			if got := at(small, i%4, i/4); got != mean {
				t.Errorf("%s: pixel %d is %v, want the mean", fit, i, got)
			}
		}
		same, err := small.Square(4, fit)
		if err != nil || !bytes.Equal(same.Pix, small.Pix) {
			t.Errorf("%s: an image of the right size changes", fit)
		}
	}
}

// TestLetterboxKeepsShapes shows a square in images of several shapes.
func TestLetterboxKeepsShapes(t *testing.T) {
	for _, size := range []image.Point{{64, 64}, {128, 64}, {64, 128}, {90, 60}, {1000, 3}, {3, 2},
		{16, 24}} {
		m := image.NewRGBA(image.Rectangle{Max: size}) // left half red, right half blue
		draw.Draw(m, m.Rect, image.NewUniform(color.RGBA{255, 0, 0, 255}), image.Point{}, draw.Src)
		draw.Draw(m, image.Rect(size.X/2, 0, size.X, size.Y),
			image.NewUniform(color.RGBA{0, 0, 255, 255}), image.Point{}, draw.Src)
		p := pixels.FromImage(m)
		small, err := p.Square(64, pixels.Letterbox)
		if err != nil || small.Width != 64 || small.Height != 64 {
			t.Fatalf("%v: %dx%d, %v", size, small.Width, small.Height, err)
		}
		var seen image.Rectangle
		for y := range 64 {
			for x := range 64 {
				if c := at(small, x, y); max(c[0], c[2]) > 200 {
					seen = seen.Union(image.Rect(x, y, x+1, y+1))
				}
			}
		}
		longer := float64(max(size.X, size.Y))
		width, height := 64*float64(size.X)/longer, 64*float64(size.Y)/longer
		if float64(seen.Dx()) < width-1 || float64(seen.Dx()) > width+1 ||
			float64(seen.Dy()) < height-1 || float64(seen.Dy()) > height+1 {
			t.Errorf("%v is seen in %v, want %.1f x %.1f", size, seen, width, height)
		}
		if off := seen.Min.Add(seen.Max).Sub(image.Pt(64, 64)); max(off.X, -off.X, off.Y, -off.Y) > 1 {
			t.Errorf("%v is seen in %v: not in the middle", size, seen)
		}
	}
}

func TestSquareRefuses(t *testing.T) {
	for _, p := range []pixels.RGB{{Width: 4, Height: 4, Pix: make([]uint8, 7)}, {}} {
		if _, err := p.Square(2, pixels.Letterbox); !errors.Is(err, pixels.ErrImage) {
			t.Errorf("an image with missing bytes gave %v", err)
		}
	}
	if _, err := pixels.ParseFit("stretch"); err == nil {
		t.Error("an unknown fit is taken")
	}
}

func ExampleRGB_Square() {
	small, err := pixels.FromImage(checkers(128, 96, 8)).Square(64, pixels.Letterbox)
	fmt.Println(small.Width, small.Height, len(small.Pix), err)
	// Output: 64 64 12288 <nil>
}
