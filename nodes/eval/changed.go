package eval

import (
	"image"
	"math"

	"stripswm/models/pixels"
	"stripswm/nodes/eval/ood"
	"stripswm/nodes/sim/camera"
	"stripswm/nodes/sim/scene"
)

// draw takes an image of a scene with a camera and in a light that have changed; the zero Drawn
// stands for none. The scene is changed.
func (w *simulated) draw(sc *scene.Scene, seed uint64, d ood.Drawn) (pixels.RGB, error) {
	cam := camera.New(w.options.Size, w.options.Size)
	changes := d != ood.Drawn{}
	if changes {
		bump(&sc.View, d)
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

// bump moves a camera, which pans and tilts where the image shifts.
func bump(v *scene.View, d ood.Drawn) {
	forward := v.Target.Sub(v.Eye)
	right := forward.Cross(scene.Vec{Z: 1}).Unit()
	down := forward.Cross(right).Unit()
	across := 2 * math.Tan(v.FOV/2) * forward.Len() // what the image shows at the target
	v.Target = v.Target.Add(right.Scale(-d.Right * across)).Add(down.Scale(-d.Down * across))
	v.FOV = 2 * math.Atan(math.Tan(v.FOV/2)/(1+d.Zoom))
	v.Roll = d.Turn * math.Pi / 180
}
