package sim

import (
	"math"

	"stripswm/nodes/sim/scene"
)

// Wear is what months do to a camera, its light and things, while the world's states stay the same.
type Wear struct {
	Right, Down float64 // how far the camera turned to a side and down, shares of the image's width
	Roll        float64 // radians
	Zoom        float64 // share
	Light       float64 // factor; 0 is 1
	Warm        float64 // factor of red by blue; 0 is 1
	Noise       float64 // factor of the sensor's noise; 0 is 1
	// Replaced is the object that another one of a new colour stands for; 0: none.
	Replaced int
	Colour   scene.Vec
}

// Worn is a world after some wear, of which it takes the present one for each scene. Sheets have no
// camera, and stay as they are.
func Worn(w *World, wear *Wear) *World {
	after := *w
	after.scene = func(state word, j *scene.Jitter) (*scene.Scene, error) {
		sc, err := w.scene(state, j)
		if err == nil && sc.Sheet == nil {
			wear.show(sc)
		}
		return sc, err
	}
	return &after
}

// show changes a scene as the wear did.
func (w *Wear) show(sc *scene.Scene) {
	by := *w
	for _, factor := range []*float64{&by.Light, &by.Warm, &by.Noise} {
		if *factor == 0 {
			*factor = 1
		}
	}
	sc.View = sc.View.Turned(by.Right, by.Down, by.Roll, by.Zoom)
	sc.Sensor.Exposure *= by.Light
	sc.Sensor.Balance.X *= math.Sqrt(by.Warm)
	sc.Sensor.Balance.Z /= math.Sqrt(by.Warm)
	sc.Sensor.Noise *= by.Noise
	for i := range sc.Bodies {
		if b := &sc.Bodies[i]; by.Replaced > 0 && b.Object == by.Replaced {
			b.Material.Color = by.Colour
		}
	}
}
