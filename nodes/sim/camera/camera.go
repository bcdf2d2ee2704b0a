package camera

import (
	"fmt"
	"image"
	"sync"

	"stripswm/nodes/sim"
	"stripswm/nodes/sim/scene"
)

// Sizes that a camera may have, in pixels a side.
const (
	MinSize = 16
	MaxSize = 2048
)

// Camera takes images of a world. It has no state: one Camera may be used by many goroutines.
type Camera struct {
	Width, Height int     // pixels
	Strength      float64 // of the nuisance: 0 none, 1 what the worlds are made for
}

// New returns a camera with nuisance strength 1.
func New(width, height int) Camera { return Camera{Width: width, Height: height, Strength: 1} }

// Render takes an image of the state. Equal arguments give equal bytes; the seed draws the
// nuisance: where things stand within their places, light, exposure, noise. It fails on a state
// that the world does not have and on sizes outside MinSize to MaxSize.
func (c Camera) Render(w *sim.World, s sim.State, seed uint64) (*image.RGBA, error) {
	return c.RenderAgain(w, s, seed, seed)
}

// RenderAgain is Render of a scene that may have been photographed before: of two images with one
// scene's seed only the sensor's noise differs.
func (c Camera) RenderAgain(w *sim.World, s sim.State, setUp, seed uint64) (*image.RGBA, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	sc, err := w.Scene(s, scene.NewJitter(setUp, c.Strength))
	if err != nil {
		return nil, err
	}
	dst := image.NewRGBA(image.Rect(0, 0, c.Width, c.Height))
	if err := c.Draw(dst, sc, seed); err != nil {
		return nil, fmt.Errorf("render state %d of %s: %w", s, w.Name(), err)
	}
	return dst, nil
}

// Draw takes an image of any scene; the seed draws the sensor's noise.
func (c Camera) Draw(dst *image.RGBA, s *scene.Scene, seed uint64) error {
	if err := c.check(); err != nil {
		return err
	}
	if dst.Rect.Dx() != c.Width || dst.Rect.Dy() != c.Height {
		return fmt.Errorf("image is %dx%d pixels: this camera takes %dx%d",
			dst.Rect.Dx(), dst.Rect.Dy(), c.Width, c.Height)
	}
	f := frames.Get().(*frame)
	defer frames.Put(f)
	if s.Sheet != nil {
		if err := f.paint(s, c.Width, c.Height); err != nil {
			return err
		}
	} else {
		if err := f.begin(s, c.Width, c.Height); err != nil {
			return err
		}
		f.draw()
	}
	return f.develop(dst, seed)
}

var frames = sync.Pool{New: func() any { return new(frame) }}

func (c Camera) check() error {
	if min(c.Width, c.Height) < MinSize || max(c.Width, c.Height) > MaxSize {
		return fmt.Errorf("camera of %dx%d pixels: each side must be %d to %d", c.Width, c.Height,
			MinSize, MaxSize)
	}
	return nil
}
