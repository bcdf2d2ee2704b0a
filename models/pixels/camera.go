package pixels

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Camera is what has to be known of a camera to make use of its images. The zero Camera has nothing
// special.
type Camera struct {
	Region Region
	// Bits is how many of the 16 bits of a sample are used, the lower ones; 0 means all. A camera of
	// 12 bits that does not shift them up would look nearly black. Samples above are as bright as can
	// be.
	Bits int
}

// CameraOf makes a Camera of what recordings, bundles and parameters have: no region, or its four
// numbers.
func CameraOf(region []float64, bits int) (Camera, error) {
	r, err := RegionOf(region)
	if err != nil {
		return Camera{}, err
	}
	if bits != 0 && (bits < 8 || bits > 16) {
		return Camera{}, fmt.Errorf("bits %d: want 8 to 16, or 0 for all", bits)
	}
	return Camera{Region: r, Bits: bits}, nil
}

// Or is c, and what d says where c says nothing.
func (c Camera) Or(d Camera) Camera {
	if c.Region == (Region{}) {
		c.Region = d.Region
	}
	c.Bits = cmp.Or(c.Bits, d.Bits)
	return c
}

// Frame is how images become what a network takes.
type Frame struct {
	Side   int // of the square, pixels
	Fit    Fit
	Camera // its Bits are for those who decode
}

// Seen is where in an image of so many pixels a region of the network's square is. Bars that a
// letterbox adds are left out.
func (f Frame) Seen(part Region, width, height int) Region {
	x0, y0, x1, y1 := f.Region.Bounds(width, height)
	wide, high := float64(x1-x0), float64(y1-y0)
	across, down := wide, high // what the square shows, in pixels of the image
	if f.Fit == Letterbox {
		across, down = max(wide, high), max(wide, high)
	}
	share := func(v, shows, has float64, from, size int) float64 {
		at := min(max((v-0.5)*shows+has/2, 0), has)
		return (at + float64(from)) / float64(size)
	}
	r := Region{X: share(part.X, across, wide, x0, width), Y: share(part.Y, down, high, y0, height)}
	r.Width = share(part.X+part.Width, across, wide, x0, width) - r.X
	r.Height = share(part.Y+part.Height, down, high, y0, height) - r.Y
	return r
}

// Place is where the middle of the network's square is in an image of so many pixels, and how many
// pixels it is from there to the square's sides. The first pixel is at 0.
func (f Frame) Place(width, height int) (x, y float64, half [2]float64) {
	x0, y0, x1, y1 := f.Region.Bounds(width, height)
	half = [2]float64{float64(x1-x0) / 2, float64(y1-y0) / 2}
	if f.Fit == Letterbox {
		half[0] = max(half[0], half[1])
		half[1] = half[0]
	}
	return float64(x0+x1-1) / 2, float64(y0+y1-1) / 2, half
}

// Of shows the network its region of an image of any size. Errors wrap ErrImage.
func (f Frame) Of(p RGB) (RGB, error) {
	part, err := p.Crop(f.Region)
	if err != nil {
		return RGB{}, err
	}
	return part.Square(f.Side, f.Fit)
}

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
