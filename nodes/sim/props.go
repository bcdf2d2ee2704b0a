package sim

import (
	"math"

	"stripswm/nodes/sim/scene"
)

// What all worlds share: the gripper, the lamp and the sensor.

var (
	steel   = scene.Material{Color: scene.RGB(206, 208, 212), Metal: 0.45, Gloss: 0.3, Shine: 60}
	rubber  = scene.Material{Color: scene.RGB(34, 34, 36), Gloss: 0.02, Shine: 10}
	casting = scene.Material{Color: scene.RGB(58, 60, 64), Gloss: 0.12, Shine: 25, Mottle: 0.06}
	flange  = scene.Material{Color: scene.RGB(206, 208, 210), Gloss: 0.2, Shine: 40}
)

// gripper returns a parallel-jaw gripper that comes from above, its finger pads open metres from
// the middle and the middle of the pads at tip.
func gripper(tip scene.Vec, open float64) []scene.Body {
	box := func(at, half scene.Vec, bevel float64, m scene.Material) scene.Body {
		return scene.Body{Shape: scene.Box{Size: half, Bevel: bevel}, At: tip.Add(at), Rot: scene.Level,
			Material: m}
	}
	var out []scene.Body
	for _, side := range [...]float64{-1, 1} {
		x := side * (open + 0.0015)
		out = append(out,
			box(scene.Vec{X: x, Z: 0.002}, scene.Vec{X: 0.0015, Y: 0.010, Z: 0.016}, 0, rubber),
			box(scene.Vec{X: x + side*0.0055, Z: 0.028}, scene.Vec{X: 0.004, Y: 0.011, Z: 0.042}, 0.002,
				steel),
			box(scene.Vec{X: x + side*0.0035, Z: 0.076}, scene.Vec{X: 0.011, Y: 0.014, Z: 0.010}, 0.003,
				casting),
		)
	}
	return append(out,
		box(scene.Vec{Z: 0.101}, scene.Vec{X: 0.068, Y: 0.028, Z: 0.016}, 0.006, casting),
		scene.Body{
			Shape: scene.Cylinder{Radius: 0.032, Height: 0.10}, At: tip.Add(scene.Vec{Z: 0.217}),
			Rot: scene.Level, Material: flange,
		})
}

// studio returns a softbox somewhere above the left of the table and a room lit by it.
func studio(j *scene.Jitter) scene.Light {
	azimuth := 2.25 + j.Uniform(0.4)
	height := 0.78 + j.Uniform(0.12)
	s, c := math.Sincos(azimuth)
	return scene.Light{
		At: scene.Vec{X: c * math.Cos(height), Y: -0.62*s*math.Cos(height) + 0.1,
			Z: math.Sin(height)}.Scale(1.5),
		Radius:  0.13 + j.Uniform(0.05),
		Key:     scene.Vec{X: 1.00, Y: 0.965, Z: 0.90}.Scale(0.92 * j.Factor(0.15)),
		Ambient: scene.Vec{X: 0.93, Y: 0.98, Z: 1.06}.Scale(0.43 * j.Factor(0.15)),
	}
}

// webcam returns the sensor of a decent camera with automatic exposure.
func webcam(j *scene.Jitter) scene.Sensor {
	return scene.Sensor{
		Exposure: j.Factor(0.12),
		Balance:  scene.Vec{X: j.Factor(0.04), Y: 1, Z: j.Factor(0.04)},
		Noise:    j.Scale(0.010) + j.Positive(0.008),
		Vignette: 0.16,
	}
}
