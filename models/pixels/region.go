package pixels

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Region is the part of an image that matters: its upper left corner and its size, in shares of the
// image's width and height, so that it holds at any resolution of a camera. The zero Region is all
// of the image.
type Region struct{ X, Y, Width, Height float64 }

// RegionOf makes a Region of x, y, width and height; of nothing, the zero Region.
func RegionOf(v []float64) (Region, error) {
	if len(v) == 0 {
		return Region{}, nil
	}
	if len(v) != 4 {
		return Region{}, fmt.Errorf("region %v: want x, y, width and height, as shares of the image", v)
	}
	r := Region{v[0], v[1], v[2], v[3]}
	const rounding = 1e-9 // of 0.7 + 0.3
	if !(r.X >= 0 && r.Y >= 0 && r.Width > 0 && r.Height > 0 && r.X+r.Width <= 1+rounding &&
		r.Y+r.Height <= 1+rounding) {
		return Region{},
			fmt.Errorf("region %s: want x, y, width and height, as shares of the image, that lie in it", r)
	}
	return r, nil
}

// ParseRegion reads what String writes: "0.25,0.1,0.5,0.8"; "" is all of an image.
func ParseRegion(text string) (Region, error) {
	if text == "" {
		return Region{}, nil
	}
	var v []float64
	for _, field := range strings.Split(text, ",") {
		n, err := strconv.ParseFloat(strings.TrimSpace(field), 64)
		if err != nil {
			return Region{}, fmt.Errorf("region %q: %q is not a number", text, field)
		}
		v = append(v, n)
	}
	return RegionOf(v)
}

// Slice is x, y, width and height; nil for all of an image.
func (r Region) Slice() []float64 {
	if r == (Region{}) {
		return nil
	}
	return []float64{r.X, r.Y, r.Width, r.Height}
}

// Words says where the region is, for people.
func (r Region) Words() string {
	return fmt.Sprintf("x %.0f to %.0f %%, y %.0f to %.0f %%", 100*r.X, 100*(r.X+r.Width), 100*r.Y,
		100*(r.Y+r.Height))
}

func (r Region) String() string {
	var fields []string
	for _, v := range r.Slice() {
		fields = append(fields, strconv.FormatFloat(v, 'g', -1, 64))
	}
	return strings.Join(fields, ",")
}

// Bounds are the pixels of an image that lie in the region, be it in part: from x0, y0 up to but
// not x1, y1.
func (r Region) Bounds(width, height int) (x0, y0, x1, y1 int) {
	if r == (Region{}) {
		return 0, 0, width, height
	}
	span := func(from, length float64, side int) (int, int) {
		const rounding = 1e-9 // 10 times 0.1 + 0.2 are three pixels
		low, high := math.Floor(from*float64(side)+rounding), math.Ceil(
			(from+length)*float64(side)-rounding)
		return min(int(low), side-1), min(int(high), side)
	}
	x0, x1 = span(r.X, r.Width, width)
	y0, y1 = span(r.Y, r.Height, height)
	return x0, y0, x1, y1
}

// Crop is the region of an image; the image itself where that is all of it. Errors wrap ErrImage.
func (p RGB) Crop(r Region) (RGB, error) {
	if err := p.check(); err != nil || r == (Region{}) {
		return p, err
	}
	x0, y0, x1, y1 := r.Bounds(p.Width, p.Height)
	part := RGB{Width: x1 - x0, Height: y1 - y0, Pix: make([]uint8, 0, 3*(x1-x0)*(y1-y0))}
	for y := y0; y < y1; y++ {
		part.Pix = append(part.Pix, p.Pix[3*(y*p.Width+x0):3*(y*p.Width+x1)]...)
	}
	return part, nil
}

// Outlined is a copy of an image in which the region has a red outline just outside of it, for
// people who look for it.
func (r Region) Outlined(p RGB) RGB {
	out := RGB{Width: p.Width, Height: p.Height, Pix: slices.Clone(p.Pix)}
	thick := max(1, min(p.Width, p.Height)/128)
	x0, y0, x1, y1 := r.Bounds(p.Width, p.Height)
	for y := max(y0-thick, 0); y < min(y1+thick, p.Height); y++ {
		for x := max(x0-thick, 0); x < min(x1+thick, p.Width); x++ {
			if x < x0 || x >= x1 || y < y0 || y >= y1 {
				copy(out.Pix[3*(y*p.Width+x):], []uint8{255, 32, 32})
			}
		}
	}
	return out
}
