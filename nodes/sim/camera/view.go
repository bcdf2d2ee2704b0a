package camera

import (
	"math"

	"stripswm/nodes/sim/scene"
)

// view is a pinhole camera for one image size.
type view struct {
	eye, forward, right, up scene.Vec
	focal                   float64 // pixels
	cx, cy                  float64 // principal point, pixels
}

func newView(v scene.View, width, height int) view {
	forward := v.Target.Sub(v.Eye).Unit()
	right := forward.Cross(scene.Vec{Z: 1}).Unit()
	up := right.Cross(forward)
	if v.Roll != 0 { // zero leaves no rounding
		sin, cos := math.Sincos(v.Roll)
		right, up = right.Scale(cos).Add(up.Scale(sin)), up.Scale(cos).Sub(right.Scale(sin))
	}
	return view{
		eye:     v.Eye,
		forward: forward,
		right:   right,
		up:      up,
		focal:   float64(min(width, height)) / 2 / math.Tan(v.FOV/2),
		cx:      float64(width) / 2,
		cy:      float64(height) / 2,
	}
}

// ray returns the direction through the image point (x, y), in pixels from the top left corner,
// with length one along the optical axis.
func (v *view) ray(x, y float64) scene.Vec {
	a, b := (x-v.cx)/v.focal, (v.cy-y)/v.focal
	return scene.Vec{
		X: v.forward.X + a*v.right.X + b*v.up.X,
		Y: v.forward.Y + a*v.right.Y + b*v.up.Y,
		Z: v.forward.Z + a*v.right.Z + b*v.up.Z,
	}
}

// project returns where a point of the world is seen, in pixels; ok is false behind the camera.
func (v *view) project(p scene.Vec) (x, y float64, ok bool) {
	d := p.Sub(v.eye)
	depth := d.Dot(v.forward)
	if depth < 1e-3 {
		return 0, 0, false
	}
	k := v.focal / depth
	return v.cx + k*d.Dot(v.right), v.cy - k*d.Dot(v.up), true
}
