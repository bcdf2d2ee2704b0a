package sim

import "stripswm/nodes/sim/scene"

// view draws how the camera looks at a sheet: it is off by up to shift each way, turned by up to
// turn, and a little nearer or farther.
func view(s *scene.Sheet, j *scene.Jitter, shift, turn float64) {
	s.At = scene.Vec{X: j.Shift(shift), Y: j.Shift(shift)}
	s.Turn = j.Shift(turn)
	s.Zoom = 1 + j.Shift(0.015)
}

// rect and disc are marks of one figure.
func rect(at scene.Vec, halfX, halfY, round float64, p scene.Paint) scene.Mark {
	return scene.Mark{Figure: scene.Rect{HalfX: halfX, HalfY: halfY, Round: round}, At: at, Paint: p}
}

func disc(at scene.Vec, radius float64, p scene.Paint) scene.Mark {
	return scene.Mark{Figure: scene.Ring{Pen: radius}, At: at, Paint: p}
}
