package align

import (
	"fmt"
	"math"

	"stripswm/models/pixels"
)

// Change is how an image differs from a Reference: a place x of the reference is seen at its
// homography of x, and a value v of it as Gain v + Bias. Places are -1 to 1 from left to right and
// from the top down.
type Change struct {
	Gain, Bias [3]float64
	by         [movements]float64 // times each movement
	moved      bool               // as far as the image shows
	bumped     bool               // more than recorded images
	lit        bool               // likewise
	beyond     bool
	other      bool       // the image shows something else
	contrast   [3]float64 // of its detail, as a factor
}

// The movements that a homography near none is the sum of, each with what a camera that was bumped
// may have of it: 5 % of the width, 3 % zoom, 3 degrees, and what a tilt by as much adds. They are
// the standard deviations that an estimate starts with.
const (
	across = iota // (x, y) moves by (1, 0)
	along         // (0, 1)
	zoom          // (x, y)
	turn          // (-y, x)
	aspect        // (x, -y)
	shear         // (y, x)
	tiltX         // (xx, xy)
	tiltY         // (xy, yy)
	movements
	shifts = along + 1
)

var expected = [movements]float64{0.1, 0.1, 0.03, 0.05, 0.005, 0.005, 0.01, 0.01}

// What is corrected at most; an estimate of more is reported only. Turn and zoom are half as far
// again as expected: the recording's camera may have moved, too. A camera that is bumped again and
// again shifts farther: what it does not see ends that sooner (mostHidden).
const (
	mostShift = 3 * 0.05 // of the width
	mostTurn  = 1.5 * 3  // degrees
	mostZoom  = 1.5 * 0.03
	// Light x0.6 to x1.4, and colour by 15 %, with as much to spare.
	leastGain, mostGain = 0.6 * 0.85 / 1.2, 1.4 * 1.15 * 1.2
)

// matrix is the homography.
func (c *Change) matrix() [9]float64 {
	b := &c.by
	return [9]float64{
		1 + b[zoom] + b[aspect], b[shear] - b[turn], b[across],
		b[shear] + b[turn], 1 + b[zoom] - b[aspect], b[along],
		-b[tiltX], -b[tiltY], 1,
	}
}

func project(h *[9]float64, x, y float64) (float64, float64) {
	w := 1 / (h[6]*x + h[7]*y + h[8])
	return (h[0]*x + h[1]*y + h[2]) * w, (h[3]*x + h[4]*y + h[5]) * w
}

// Moved says whether the camera has moved so that the image shows it, and no farther than can be
// corrected.
func (c Change) Moved() bool { return c.moved && !c.beyond }

// Bumped says whether the camera has moved farther than in the recording.
func (c Change) Bumped() bool { return c.bumped }

// Lit says whether the light is another than in the recording.
func (c Change) Lit() bool { return c.lit }

// Beyond says that the camera seems to have moved farther than can be corrected.
func (c Change) Beyond() bool { return c.beyond }

// Shift is how far the image has moved, in shares of its width, to the right and down.
func (c Change) Shift() (x, y float64) { return c.by[across] / 2, c.by[along] / 2 }

// Turn is by how many degrees the image has turned, clockwise.
func (c Change) Turn() float64 { return c.by[turn] * 180 / math.Pi }

// Zoom is by which share the image is enlarged.
func (c Change) Zoom() float64 { return c.by[zoom] }

// Words says how the camera has moved.
func (c Change) Words() string {
	x, y := c.Shift()
	return fmt.Sprintf("moved by (%.1f, %.1f) %% of the image's width, turned by %.1f degrees and "+
		"zoomed by %.1f %%", 100*x, 100*y, c.Turn(), 100*c.Zoom())
}

// Light says how the light has changed.
func (c Change) Light() string {
	return fmt.Sprintf("red x%.2f, green x%.2f, blue x%.2f", c.Gain[0], c.Gain[1], c.Gain[2])
}

// limit says whether the movement is beyond what is corrected. Then nothing is.
func (c *Change) limit() {
	x, y := c.Shift()
	c.beyond = c.moved && (math.Hypot(x, y) > mostShift || math.Abs(c.Turn()) > mostTurn ||
		math.Abs(c.Zoom()) > mostZoom)
	c.lit = c.lit && !c.beyond
}

// Unmove is an image as the camera of the recording would have taken it; what it does not see is as
// at the border. Errors wrap pixels.ErrImage.
func (c Change) Unmove(p pixels.RGB, f pixels.Frame) (pixels.RGB, error) {
	x, y, half := f.Place(p.Width, p.Height)
	h := c.matrix()
	to := [9]float64{half[0], 0, x, 0, half[1], y, 0, 0, 1}
	back := [9]float64{1 / half[0], 0, -x / half[0], 0, 1 / half[1], -y / half[1], 0, 0, 1}
	return p.Warp(product(product(to, h), back))
}

func product(a, b [9]float64) (c [9]float64) {
	for i := range 3 {
		for j := range 3 {
			for k := range 3 {
				c[3*i+j] += a[3*i+k] * b[3*k+j]
			}
		}
	}
	return c
}
