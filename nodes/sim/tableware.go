package sim

import "stripswm/nodes/sim/scene"

// part is one body of an object, relative to the middle of its foot; cutlery points along +x.
type part struct {
	shape    scene.Shape
	at       scene.Vec
	rot      scene.Rot
	material scene.Material
}

// ware is an object: its parts, and how the gripper takes it.
type ware struct {
	parts []part
	flat  bool    // lies on the table, hangs upright when held
	grip  float64 // half the width between the fingers when it is held
	hold  float64 // how far above the foot, or along x if it is flat, the fingers take it
}

var (
	blueGlaze  = scene.Material{Color: scene.RGB(44, 92, 164), Gloss: 0.35, Shine: 70}
	greenCup   = scene.Material{Color: scene.RGB(88, 176, 118), Gloss: 0.25, Shine: 50}
	silver     = scene.Material{Color: scene.RGB(222, 224, 228), Metal: 0.55, Gloss: 0.45, Shine: 90}
	blackGrip  = scene.Material{Color: scene.RGB(40, 38, 38), Gloss: 0.12, Shine: 30}
	redGrip    = scene.Material{Color: scene.RGB(172, 42, 46), Gloss: 0.15, Shine: 30}
	porcelain  = scene.Material{Color: scene.RGB(228, 224, 214), Gloss: 0.25, Shine: 80}
	ochreGlaze = scene.Material{Color: scene.RGB(206, 148, 42), Gloss: 0.25, Shine: 60}
	greyBoard  = scene.Material{Color: scene.RGB(182, 176, 164), Gloss: 0.03, Shine: 15, Mottle: 0.07}
	redCan     = scene.Material{Color: scene.RGB(170, 36, 36), Gloss: 0.25, Shine: 50}
)

// wares are DinnerTable's objects, in the order of dinnerObjects.
var wares = [len(dinnerObjects)]ware{
	{ // mug
		parts: []part{
			turned(blueGlaze, 0.0024, at(0, -0.040), at(0.034, -0.040), at(0.039, -0.034), at(0.040, 0.042)),
			{scene.Loop{Radius: 0.0235, Rod: 0.0055}, scene.Vec{X: 0.0395, Z: 0.043}, scene.Level,
				blueGlaze},
		},
		grip: 0.043, hold: 0.060,
	},
	{ // glass
		parts: []part{
			turned(greenCup, 0.0020, at(0, -0.053), at(0.029, -0.053), at(0.031, -0.050), at(0.0385, 0.056)),
		},
		grip: 0.037, hold: 0.080,
	},
	{ // fork
		parts: []part{
			cut(silver, 0, scene.Outline{Thick: 0.0026, Mirrored: true, Strokes: []scene.Stroke{
				line(-0.015, 0, 0.030, 0, 0.0048, 0.0042),
				line(0.030, 0, 0.048, 0, 0.0042, 0.0115),
				line(0.048, 0.0040, 0.100, 0.0036, 0.0030, 0.0020),
				line(0.048, 0.0118, 0.100, 0.0110, 0.0032, 0.0021),
			}}),
			cut(redGrip, -0.0570, scene.Outline{Thick: 0.0054, Strokes: []scene.Stroke{
				line(-0.044, 0, 0.042, 0, 0.0095, 0.0074),
			}}),
		},
		flat: true, grip: 0.007, hold: -0.070,
	},
	{ // knife
		parts: []part{
			cut(silver, 0, scene.Outline{Thick: 0.0022, Strokes: []scene.Stroke{
				line(-0.010, 0, 0.030, -0.001, 0.0060, 0.0105),
				line(0.030, -0.001, 0.085, -0.002, 0.0105, 0.0095),
				line(0.085, -0.002, 0.104, 0.005, 0.0090, 0.0030),
			}}),
			cut(blackGrip, -0.0555, scene.Outline{Thick: 0.0058, Strokes: []scene.Stroke{
				line(-0.044, 0, 0.044, 0, 0.0098, 0.0082),
			}}),
		},
		flat: true, grip: 0.007, hold: -0.070,
	},
	{ // spoon
		parts: []part{cut(silver, 0, scene.Outline{Thick: 0.0036, Strokes: []scene.Stroke{
			line(-0.100, 0, 0.025, 0, 0.0062, 0.0038),
			line(0.025, 0, 0.055, 0, 0.0038, 0.0110),
			line(0.060, 0, 0.080, 0, 0.0205, 0.0170),
		}, Dish: scene.Dish{At: scene.Vec{X: 0.069, Z: 0.0465}, R: 0.0465}})},
		flat: true, grip: 0.005, hold: -0.070,
	},
}

// at is a point of a lathe's profile.
func at(radius, height float64) scene.Vec { return scene.Vec{X: radius, Z: height} }

// turned stands a lathe's work on the table.
func turned(m scene.Material, wall float64, profile ...scene.Vec) part {
	l := scene.NewLathe(wall, profile...)
	return part{l, scene.Vec{Z: l.Half().Z}, scene.Level, m}
}

func line(ax, ay, bx, by, ra, rb float64) scene.Stroke {
	return scene.Stroke{A: scene.Vec{X: ax, Y: ay}, B: scene.Vec{X: bx, Y: by}, RA: ra, RB: rb}
}

// cut lays an outline flat on the table, x metres along the object.
func cut(m scene.Material, x float64, o scene.Outline) part {
	return part{o, scene.Vec{X: x, Z: o.Thick}, scene.Level, m}
}

// belonging makes bodies part of an object. It changes and returns them.
func belonging(object int, bodies []scene.Body) []scene.Body {
	for i := range bodies {
		bodies[i].Object = object
	}
	return bodies
}

// put returns the object's bodies with its foot at a place and turned.
func (w *ware) put(foot scene.Vec, rot scene.Rot) []scene.Body {
	bodies := make([]scene.Body, len(w.parts))
	for i, p := range w.parts {
		bodies[i] = scene.Body{Shape: p.shape, At: foot.Add(rot.Apply(p.at)), Rot: p.rot.Then(rot),
			Material: p.material}
	}
	return bodies
}
