package sim

import (
	"fmt"
	"math"
	"strings"

	"stripswm/models/worlds"
	"stripswm/nodes/sim/scene"
)

const lampCount = 6

// The lamps are a chain of six with a button to each: action k toggles lamp k and its neighbours in
// the chain. Whatever is lit, every button can be pressed. Over GF(2) the buttons are independent,
// so that all 64 images can be had, each in one way but for the order. It begins in the dark.
func init() {
	define("lamps", definition{
		dataset:   Dataset{States: 64, Actions: 6, Transitions: 4000},
		rules:     func() *worlds.World { return worlds.LightsOut(1, lampCount) },
		variables: variables(lampCount, 1, "lit"),
		describe: func(w word) string {
			var on []string
			for k := range w {
				if w[k] != none {
					on = append(on, fmt.Sprint(k+1))
				}
			}
			if len(on) == 0 {
				return "all lamps off"
			}
			return "lamps on: " + strings.Join(on, ", ")
		},
		scene: lampsScene,
	})
}

var (
	panelGrey  = scene.RGB(50, 52, 58)
	panelPlate = scene.Paint{Color: scene.RGB(40, 43, 50), Other: scene.RGB(30, 32, 38),
		Pattern: scene.Grain, Size: 0.02, Seed: 3}
	panelEdge = scene.Paint{Color: scene.RGB(96, 100, 108)}
	screwHead = scene.Paint{Color: scene.RGB(140, 144, 150)}
	screwSlot = scene.Paint{Color: scene.RGB(40, 42, 46)}
	wire      = scene.Paint{Color: scene.RGB(112, 96, 62)}
	bezel     = scene.Paint{Color: scene.RGB(128, 132, 138)}
	glassOff  = scene.Paint{Color: scene.RGB(74, 44, 26)}
	glint     = scene.Paint{Color: scene.RGB(120, 96, 80)}
	buttonCap = scene.Paint{Color: scene.RGB(168, 44, 40)}
	buttonTop = scene.Paint{Color: scene.RGB(206, 74, 64)}
	buttonRim = scene.Paint{Color: scene.RGB(18, 18, 20)}
)

// lampAt returns where a lamp is: the chain goes up and down.
func lampAt(k int) scene.Vec {
	return scene.Vec{X: 0.285 * (float64(k) - 2.5), Y: 0.22 + 0.2*float64(1-k%2*2)}
}

// lampsScene shows the panel. The nuisance: how the camera looks at it, how bright the lamps are
// and the room is, and a reflection that wanders over the plate.
func lampsScene(w word, j *scene.Jitter) (*scene.Scene, error) {
	sheet := &scene.Sheet{Ground: panelGrey, Marks: panel()}
	// The room's light is the same for all but what shines by itself.
	room := j.Factor(0.3)
	var glows []scene.Mark
	for k := range lampCount {
		power := j.Factor(0.2) // drawn for dark lamps too: a seed draws the same for every state
		on := w[k] != none
		sheet.Marks = append(sheet.Marks, scene.Thing(k+1, lamp(k, on)...)...)
		if on {
			glows = append(glows, scene.Thing(k+1, halo(lampAt(k), power)...)...)
		}
	}
	for i := range sheet.Marks {
		p := &sheet.Marks[i].Paint
		p.Color, p.Other = p.Color.Scale(room), p.Other.Scale(room)
	}
	sheet.Ground = sheet.Ground.Scale(room)
	sheet.Marks = append(sheet.Marks, glows...)
	shine := 0.05 * j.Positive(1)
	sheet.Marks = append(sheet.Marks, scene.Mark{
		Figure: scene.Ring{Pen: 0.5}, At: scene.Vec{X: j.Uniform(0.8), Y: j.Uniform(0.8)}, Soft: 0.9,
		Paint: scene.Paint{Color: scene.Vec{X: 0.9, Y: 0.95, Z: 1.05}.Scale(shine)}, Glow: true,
	})
	view(sheet, j, 0.045, 0.02)
	return &scene.Scene{Sheet: sheet, Sensor: webcam(j)}, nil
}

// panel is the plate with its screws, the wires of the chain and the buttons.
func panel() []scene.Mark {
	marks := []scene.Mark{
		rect(scene.Vec{}, 0.93, 0.86, 0.08, panelEdge),
		rect(scene.Vec{}, 0.91, 0.84, 0.07, panelPlate),
	}
	for i := range 4 {
		at := scene.Vec{X: 0.83 * float64(i%2*2-1), Y: 0.76 * float64(i/2*2-1)}
		marks = append(marks, scene.Group(at, 0.7+1.1*float64(i),
			disc(scene.Vec{}, 0.035, screwHead),
			rect(scene.Vec{}, 0.032, 0.008, 0, screwSlot))...)
	}
	for k := range lampCount - 1 {
		a, b := lampAt(k), lampAt(k+1)
		along := b.Sub(a)
		marks = append(marks, scene.Mark{
			Figure: scene.Rect{HalfX: along.Len() / 2, HalfY: 0.012}, At: a.Mix(b, 0.5),
			Turn: math.Atan2(along.Y, along.X), Paint: wire,
		})
	}
	for k := range lampCount {
		at := scene.Vec{X: lampAt(k).X, Y: -0.48}
		marks = append(marks, scene.Group(at, 0,
			rect(scene.Vec{}, 0.10, 0.10, 0.03, buttonRim),
			rect(scene.Vec{}, 0.08, 0.08, 0.03, buttonCap),
			rect(scene.Vec{Y: 0.015}, 0.065, 0.055, 0.02, buttonTop))...)
	}
	return marks
}

func lamp(k int, on bool) []scene.Mark {
	marks := []scene.Mark{
		disc(scene.Vec{}, 0.118, bezel),
		disc(scene.Vec{}, 0.096, glassOff),
	}
	if !on {
		marks = append(marks, disc(scene.Vec{X: -0.03, Y: 0.035}, 0.028, glint))
	}
	return scene.Group(lampAt(k), 0, marks...)
}

// halo is the light of a lamp: the bulb, and what of it strays around.
func halo(at scene.Vec, power float64) []scene.Mark {
	amber := scene.Vec{X: 1, Y: 0.62, Z: 0.16}.Scale(power)
	return []scene.Mark{
		{Figure: scene.Ring{Pen: 0.17}, At: at, Soft: 0.26, Paint: scene.Paint{Color: amber.Scale(0.30)},
			Glow: true},
		{Figure: scene.Ring{Pen: 0.092}, At: at, Soft: 0.03, Paint: scene.Paint{Color: amber.Scale(0.9)},
			Glow: true},
		{Figure: scene.Ring{Pen: 0.04}, At: at, Soft: 0.08, Paint: scene.Paint{
			Color: scene.Vec{X: 0.5, Y: 0.5, Z: 0.4}.Scale(power)}, Glow: true},
	}
}
