package pixels_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"stripswm/models/pixels"
)

// numbered is an image whose pixels say where they are.
func numbered(width, height int) pixels.RGB {
	p := pixels.RGB{Width: width, Height: height}
	for y := range height {
		for x := range width {
			p.Pix = append(p.Pix, uint8(x), uint8(y), 7)
		}
	}
	return p
}

// Any region of any image is a rectangle of its pixels, not more than one off on any side, and
// reads as it is written.
func TestEveryRegionIsPartOfTheImage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := rapid.IntRange(1, 200)
		w, h := side.Draw(t, "width"), side.Draw(t, "height")
		x, y := rapid.Float64Range(0, 0.99).Draw(t, "x"), rapid.Float64Range(0, 0.99).Draw(t, "y")
		r, err := pixels.RegionOf([]float64{x, y, rapid.Float64Range(0.001, 1-x).Draw(t, "wide"),
			rapid.Float64Range(0.001, 1-y).Draw(t, "high")})
		if err != nil {
			t.Fatal(err)
		}
		if again, err := pixels.ParseRegion(r.String()); err != nil || again != r {
			t.Fatalf("%s reads as %v, %v", r, again, err)
		}
		p, err := numbered(w, h).Crop(r)
		if err != nil || len(p.Pix) != 3*p.Width*p.Height || p.Width < 1 || p.Height < 1 {
			t.Fatalf("%dx%d with %d bytes, %v", p.Width, p.Height, len(p.Pix), err)
		}
		first, last := at(p, 0, 0), at(p, p.Width-1, p.Height-1)
		for _, edge := range []struct{ got, want float64 }{
			{float64(first[0]), r.X * float64(w)}, {float64(first[1]), r.Y * float64(h)},
			{float64(last[0]) + 1, (r.X + r.Width) * float64(w)},
			{float64(last[1]) + 1, (r.Y + r.Height) * float64(h)},
		} {
			if math.Abs(edge.got-edge.want) > 1 {
				t.Fatalf("%s of %dx%d begins at %v and ends at %v", r, w, h, first, last)
			}
		}
	})
}

func TestRegions(t *testing.T) {
	for _, text := range []string{"0,0,1", "a,0,1,1", "0,0,0,1", "0,0,1.1,1", "-0.1,0,1,1",
		"0.5,0,0.6,1", "NaN,0,1,1", "0,0,Inf,1"} {
		if r, err := pixels.ParseRegion(text); err == nil {
			t.Errorf("%s was taken as %v", text, r)
		}
	}
	for _, text := range []string{"", "0,0,1,1", " 0.7, 0.1, 0.3, 0.9"} {
		if r, err := pixels.ParseRegion(text); err != nil ||
			r.String() != strings.ReplaceAll(text, " ", "") {
			t.Errorf("%q: %q, %v", text, r, err)
		}
	}
	if p, err := numbered(4, 4).Crop(pixels.Region{}); err != nil || p.Width != 4 {
		t.Errorf("all of an image is %d wide, %v", p.Width, err)
	}
	if _, err := (pixels.RGB{Width: 3, Height: 3}).Crop(pixels.Region{Width: 0.5,
		Height: 0.5}); !errors.Is(err, pixels.ErrImage) {
		t.Errorf("a torn image: %v", err)
	}
	if c, err := pixels.CameraOf(nil, 7); err == nil {
		t.Errorf("%v was taken", c)
	}
}

func ExampleFrame() {
	f := pixels.Frame{Side: 2, Fit: pixels.Letterbox, Camera: pixels.Camera{
		Region: pixels.Region{X: 0.5, Y: 0.5, Width: 0.5, Height: 0.5}}}
	p, err := f.Of(numbered(8, 8))
	fmt.Println(p.Pix, err)
	// Output: [5 5 7 7 5 7 5 7 7 7 7 7] <nil>
}
