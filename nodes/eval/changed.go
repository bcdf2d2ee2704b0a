package eval

import (
	"image"
	"math"
	"math/rand/v2"

	"stripswm/models/pixels"
	"stripswm/nodes/sim/camera"
	"stripswm/nodes/sim/scene"
)

// draw takes an image of a scene with a camera and in a light that have changed; the zero Drawn
// stands for none. The scene is changed.
func (w *simulated) draw(sc *scene.Scene, seed uint64, d Drawn) (pixels.RGB, error) {
	cam := camera.New(w.options.Size, w.options.Size)
	changes := d != Drawn{}
	if changes {
		sc.View = sc.View.Turned(-d.Right, -d.Down, d.Turn*math.Pi/180, d.Zoom) // where the image shifts
	}
	img := image.NewRGBA(image.Rect(0, 0, cam.Width, cam.Height))
	if err := cam.Draw(img, sc, seed); err != nil {
		return pixels.RGB{}, err
	}
	seen := pixels.FromImage(img)
	if !changes {
		return seen, nil
	}
	if sc.Sheet != nil { // which has no view
		var err error
		if seen, err = d.Moved(seen); err != nil {
			return seen, err
		}
	}
	return d.Lit(seen), nil
}

// Change is what may happen to camera and light while the table stays as it is: an image of a known
// state still shows it.
type Change struct {
	Name string
	// Shift is in shares of the image's width, in any direction, Turn in degrees and Zoom a share, of
	// either sign.
	Shift, Turn, Zoom float64
	// Light and Colour are factors: of all channels, and of red by blue, or of blue by red.
	Light, Colour float64
	// Shade is what a soft shadow takes of the light where it is darkest, a share.
	Shade float64
}

// Changes lists them.
func Changes() []Change {
	return []Change{
		{Name: "camera shifted by 1 px of 320", Shift: 1. / 320},
		{Name: "camera shifted by 2 px of 320", Shift: 2. / 320},
		{Name: "camera shifted by 4 px of 320", Shift: 4. / 320},
		{Name: "camera shifted by 5 %", Shift: 0.05},
		{Name: "zoom 1 %", Zoom: 0.01},
		{Name: "zoom 3 %", Zoom: 0.03},
		{Name: "turned by 1 degree", Turn: 1},
		{Name: "turned by 2 degrees", Turn: 2},
		{Name: "light x0.6", Light: 0.6},
		{Name: "light x0.8", Light: 0.8},
		{Name: "light x1.1", Light: 1.1},
		{Name: "light x1.4", Light: 1.4},
		{Name: "colour 15 %", Colour: 1.15},
		{Name: "soft shadow 10 %", Shade: 0.1},
		{Name: "soft shadow 20 %", Shade: 0.2},
		Both(),
	}
}

// Both is a camera that was bumped and another lamp.
func Both() Change {
	return Change{Name: "shifted by 4 px of 320, turned by 1 degree, light x0.8", Shift: 4. / 320,
		Turn: 1, Light: 0.8}
}

// Drawn is a change whose directions are drawn: Right and Down are in shares of the width. The
// shadow is darkest at X and Y, -1 to 1 from left to right and from the top down.
type Drawn struct {
	Right, Down, Turn, Zoom float64
	Light                   [3]float64
	Shade, X, Y             float64
}

// Draw draws the directions.
func (c Change) Draw(rng *rand.Rand) Drawn {
	sign := func() float64 { return float64(2*rng.IntN(2) - 1) }
	sin, cos := math.Sincos(2 * math.Pi * rng.Float64())
	d := Drawn{Right: c.Shift * cos, Down: c.Shift * sin, Turn: c.Turn * sign(), Zoom: c.Zoom * sign(),
		Light: [3]float64{1, 1, 1}}
	for ch := range d.Light {
		if c.Light != 0 {
			d.Light[ch] *= c.Light
		}
	}
	if c.Colour != 0 {
		warm := sign()
		d.Light[0] *= math.Pow(c.Colour, warm)
		d.Light[2] *= math.Pow(c.Colour, -warm)
	}
	if d.Shade = c.Shade; d.Shade != 0 {
		const beyond = 1.2 // the image's border
		d.X, d.Y = beyond*(2*rng.Float64()-1), beyond*(2*rng.Float64()-1)
	}
	return d
}

// Lit is an image in the light.
func (d Drawn) Lit(p pixels.RGB) pixels.RGB {
	const wide = 0.4 // a standard deviation of the shadow, half widths
	return painted(p, func(u, v float64, c colour) colour {
		x, y := (u-d.X)/wide, (v-d.Y)/wide*float64(p.Height)/float64(p.Width)
		left := 1 - d.Shade*math.Exp(-(x*x+y*y)/2)
		for ch, light := range d.Light {
			c[ch] = c[ch]*light*left + 0.5
		}
		return c
	})
}

// Moved is an image that the camera moved, by cubic interpolation, which makes it a little less
// sharp. What it did not show is as at its border.
func (d Drawn) Moved(p pixels.RGB) (pixels.RGB, error) {
	x, y := float64(p.Width-1)/2, float64(p.Height-1)/2
	sin, cos := math.Sincos(d.Turn * math.Pi / 180)
	a, b := cos/(1+d.Zoom), sin/(1+d.Zoom)
	// The image at x shows what was at the inverse of the movement of x.
	u, v := x+d.Right*float64(p.Width), y+d.Down*float64(p.Width)
	return p.Warp([9]float64{a, b, x - a*u - b*v, -b, a, y + b*u - a*v, 0, 0, 1})
}
