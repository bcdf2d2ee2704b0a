package sim

import (
	"math"

	"stripswm/nodes/sim/scene"
)

// makeReal turns the clean scene into one of a real rig: things that never move on the table, and
// the nuisance of a room that is in use.
func makeReal(sc *scene.Scene, j *scene.Jitter) {
	sc.Bodies = append(sc.Bodies, distractors()...)
	sc.Floor = scene.RGB(92, 90, 92)
	sc.Table.Wood = scene.Wood{
		Early: scene.RGB(168, 126, 92), Late: scene.RGB(112, 76, 52), Plank: 0.125, Seed: 21,
	}

	// The camera's mount gives a little.
	sc.View.Eye = sc.View.Eye.Add(scene.Vec{X: j.Shift(0.012), Y: j.Shift(0.010), Z: j.Shift(0.008)})
	sc.View.Target = sc.View.Target.Add(scene.Vec{X: j.Shift(0.006), Y: j.Shift(0.006),
		Z: j.Shift(0.004)})
	sc.View.FOV *= j.Factor(0.01)

	// The lamp wanders and changes its colour; the camera's white balance follows about halfway.
	l := &sc.Light
	azimuth := math.Atan2(l.At.Y, l.At.X) + j.Uniform(0.8)
	sin, cos := math.Sincos(azimuth)
	level := math.Hypot(l.At.X, l.At.Y)
	l.At.X, l.At.Y = level*cos, level*sin
	warm := j.Uniform(0.22)
	tint := scene.Vec{X: math.Exp(warm), Y: 1, Z: math.Exp(-1.2 * warm)}
	l.Key = l.Key.Times(tint).Scale(j.Factor(0.2))
	l.Ambient = l.Ambient.Scale(j.Factor(0.2))
	if j.Strength() > 0 {
		sc.Bodies = append(sc.Bodies, passer(l.At, j))
	}

	s := &sc.Sensor
	s.Balance = s.Balance.Times(scene.Vec{X: math.Exp(-0.5 * warm), Y: 1, Z: math.Exp(0.6 * warm)})
	s.Exposure *= j.Factor(0.1)
	s.Noise = j.Scale(0.016) + j.Positive(0.014)
	s.Vignette = 0.22
	sin, cos = math.Sincos(j.Uniform(math.Pi))
	smear := j.Positive(0.010)
	s.Smear = scene.Vec{X: smear * cos, Y: smear * sin}
	if j.Strength() > 0 {
		s.JPEG = max(25, 92-int(j.Positive(30)))
	}
}

// passer is somebody out of the image who stands in part of the light.
func passer(lamp scene.Vec, j *scene.Jitter) scene.Body {
	aim := scene.Vec{X: j.Uniform(0.5), Y: -0.1 + j.Uniform(0.35)}
	return scene.Body{
		Shape: scene.Box{Size: scene.Vec{X: 0.10, Y: 0.02, Z: 0.05}},
		At:    aim.Mix(lamp, 0.66), Rot: scene.Yaw(j.Uniform(1.5)), Unseen: true,
	}
}

// distractors are the plate, the bowl and the shelf with a can on it.
func distractors() []scene.Body {
	plate := ware{parts: []part{turned(porcelain, 0.0022,
		at(0, -0.006), at(0.052, -0.006), at(0.059, -0.003), at(0.090, 0.007))}}
	bowl := ware{parts: []part{turned(ochreGlaze, 0.0024,
		at(0, -0.026), at(0.026, -0.026), at(0.044, -0.017), at(0.057, 0.002), at(0.064, 0.027))}}
	bodies := plate.put(scene.Vec{X: -0.006, Y: -0.100}, scene.Level)
	bodies = append(bodies, bowl.put(scene.Vec{X: 0.125, Y: 0.170}, scene.Level)...)

	const back, top = 0.355, 0.075
	board := func(x, z, halfX, halfZ float64) scene.Body {
		return scene.Body{
			Shape: scene.Box{Size: scene.Vec{X: halfX, Y: 0.045, Z: halfZ}, Bevel: 0.002},
			At:    scene.Vec{X: x, Y: back, Z: z}, Rot: scene.Level, Material: greyBoard,
		}
	}
	return append(bodies,
		board(0, top, 0.34, 0.007),
		board(-0.315, (top-0.007)/2, 0.008, (top-0.007)/2),
		board(0.315, (top-0.007)/2, 0.008, (top-0.007)/2),
		scene.Body{
			Shape: scene.Cylinder{Radius: 0.026, Height: 0.032, Bevel: 0.003},
			At:    scene.Vec{X: -0.20, Y: back, Z: top + 0.007 + 0.032}, Rot: scene.Level, Material: redCan,
		})
}
