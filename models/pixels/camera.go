package pixels

import (
	"cmp"
	"fmt"
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
