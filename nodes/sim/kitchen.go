package sim

import (
	"fmt"
	"strings"

	"stripswm/models/worlds"
	"stripswm/nodes/sim/scene"
)

// The kitchen's size. Places are the cabinets, then the worktops.
const (
	kitchenCabinets = 3
	kitchenPlaces   = kitchenCabinets + 2
)

var kitchenThings = []string{"cup", "plate", "bottle", "box"}

// The kitchen has a gripper that takes things from cabinets and worktops and puts them there. A
// cabinet has a glass door, which has to be open for that. The gripper has to be empty to move a
// door.
func init() {
	define("kitchen", definition{
		dataset: Dataset{States: 150, Actions: 46, Transitions: 12000},
		rules: func() *worlds.World {
			const worktops = kitchenPlaces - kitchenCabinets
			return worlds.Kitchen(len(kitchenThings), kitchenCabinets, worktops).From("empty", "in_0_0",
				"in_1_1", "in_2_3", "in_3_4")
		},
		things: kitchenThings,
		variables: append(variables(len(kitchenThings), kitchenPlaces, "in"),
			flags(kitchenCabinets, "open")...),
		describe: func(w word) string {
			return strings.Join(each(len(w), func(k int) string {
				switch c := k - len(kitchenThings); {
				case c >= 0 && w[k] == none:
					return fmt.Sprintf("cabinet %d closed", c)
				case c >= 0:
					return fmt.Sprintf("cabinet %d open", c)
				case w[k] == none:
					return kitchenThings[k] + " in hand"
				case w[k] < kitchenCabinets:
					return fmt.Sprintf("%s in cabinet %d", kitchenThings[k], w[k])
				default:
					return fmt.Sprintf("%s on worktop %d", kitchenThings[k], w[k])
				}
			}), ", ")
		},
		scene: kitchenScene,
	})
}

var (
	tiledWall = scene.Paint{Color: scene.RGB(214, 220, 222), Other: scene.RGB(196, 204, 208),
		Pattern: scene.Checks, Size: 0.1}
	cabinetWood = scene.Paint{Color: scene.RGB(120, 84, 54), Other: scene.RGB(100, 68, 42),
		Pattern: scene.Grain, Size: 0.03, Seed: 11}
	cabinetBack = scene.Paint{Color: scene.RGB(70, 62, 58)}
	doorFrame   = scene.Paint{Color: scene.RGB(168, 126, 84)}
	doorKnob    = scene.Paint{Color: scene.RGB(232, 200, 90)}
	stone       = scene.Paint{Color: scene.RGB(96, 104, 112), Other: scene.RGB(84, 92, 100),
		Pattern: scene.Grain, Size: 0.02, Seed: 12}
	handSteel = scene.Paint{Color: scene.RGB(36, 38, 42)}
	cupRed    = scene.Paint{Color: scene.RGB(210, 52, 44)}
	cupInside = scene.Paint{Color: scene.RGB(120, 24, 22)}
	china     = scene.Paint{Color: scene.RGB(244, 246, 250)}
	chinaRim  = scene.Paint{Color: scene.RGB(44, 84, 180)}
	greenOil  = scene.Paint{Color: scene.RGB(40, 150, 70)}
	bottleCap = scene.Paint{Color: scene.RGB(16, 60, 28)}
	teaBox    = scene.Paint{Color: scene.RGB(240, 180, 30)}
	teaLabel  = scene.Paint{Color: scene.RGB(130, 60, 20)}
)

// kitchenPlace returns where a place is: cabinets above, worktops below, the gripper between those.
func kitchenPlace(place int8) scene.Vec {
	switch {
	case place == none:
		return scene.Vec{Y: -0.55}
	case place < kitchenCabinets:
		return scene.Vec{X: 0.62 * (float64(place) - 1), Y: 0.4}
	}
	return scene.Vec{X: 1.28 * (float64(place) - kitchenCabinets - 0.5), Y: -0.55}
}

// Half of a cabinet's and of a worktop's sides.
const kitchenHalfX, kitchenHalfY = 0.26, 0.33

// kitchenScene shows the kitchen from the front. The nuisance: how the camera looks at it, how each
// thing stands, how far an open door swings, reflections on glass, the light, the sensor.
func kitchenScene(w word, j *scene.Jitter) (*scene.Scene, error) {
	sheet := &scene.Sheet{Marks: kitchenRoom(j)}
	for t, at := range w[:len(kitchenThings)] {
		place := kitchenPlace(at).Add(scene.Vec{X: j.Shift(0.02), Y: j.Shift(0.02)})
		if at != none {
			place = place.Add(scene.Vec{X: 0.26*float64(t%2) - 0.13, Y: 0.3*float64(t/2) - 0.15})
		}
		sheet.Marks = append(sheet.Marks,
			scene.Thing(t+1, scene.Group(place, j.Shift(0.1), kitchenThing(t)...)...)...)
	}
	for p, open := range w[len(kitchenThings):] {
		swing, shine := j.Uniform(0.02), 0.05+0.04*j.Uniform(1)
		at := kitchenPlace(int8(p))
		sheet.Marks = append(sheet.Marks, glassDoor(at, open != none, swing, shine)...)
	}
	view(sheet, j, 0.03, 0.015)
	sheet.Shade = scene.Vec{X: j.Uniform(0.2), Y: j.Uniform(0.2)}
	return &scene.Scene{Sheet: sheet, Sensor: webcam(j)}, nil
}

// kitchenRoom is the wall, whose tiles are laid again for each image, with all that stays.
func kitchenRoom(j *scene.Jitter) []scene.Mark {
	marks := []scene.Mark{rect(scene.Vec{X: j.Shift(0.1), Y: j.Shift(0.1)}, 2.5, 2.5, 0, tiledWall)}
	for p := range int8(kitchenPlaces) {
		at := kitchenPlace(p)
		if p >= kitchenCabinets {
			marks = append(marks, rect(at, kitchenHalfX, kitchenHalfY, 0.02, stone))
			continue
		}
		marks = append(marks,
			rect(at, kitchenHalfX+0.03, kitchenHalfY+0.03, 0, cabinetWood),
			rect(at, kitchenHalfX, kitchenHalfY, 0, cabinetBack))
	}
	hand := kitchenPlace(none)
	for _, side := range []float64{-1, 1} {
		at := hand.Add(scene.Vec{X: 0.15 * side, Y: 0.06})
		marks = append(marks, rect(at, 0.02, 0.14, 0.01, handSteel))
	}
	return append(marks, rect(hand.Add(scene.Vec{Y: 0.2}), 0.17, 0.03, 0.01, handSteel))
}

// glassDoor is a frame around a pane that shines; an open one is seen from its edge.
func glassDoor(at scene.Vec, open bool, swing, shine float64) []scene.Mark {
	bar := func(x, y, halfX, halfY float64) scene.Mark {
		return rect(scene.Vec{X: x, Y: y}, halfX, halfY, 0, doorFrame)
	}
	if open {
		return scene.Group(at, 0, bar(-kitchenHalfX-0.02-swing, 0, 0.025, kitchenHalfY+0.05))
	}
	const thick = 0.025
	return scene.Group(at, 0,
		scene.Mark{Figure: scene.Rect{HalfX: kitchenHalfX, HalfY: kitchenHalfY}, Glow: true,
			Paint: scene.Paint{Color: scene.Vec{X: 0.8, Y: 1, Z: 1.1}.Scale(shine)}},
		bar(-kitchenHalfX, 0, thick, kitchenHalfY), bar(kitchenHalfX, 0, thick, kitchenHalfY),
		bar(0, -kitchenHalfY, kitchenHalfX, thick), bar(0, kitchenHalfY, kitchenHalfX, thick),
		bar(0, 0, kitchenHalfX, 0.012),
		disc(scene.Vec{X: kitchenHalfX - 0.06}, 0.03, doorKnob))
}

func kitchenThing(t int) []scene.Mark {
	switch kitchenThings[t] {
	case "cup":
		return []scene.Mark{
			{Figure: scene.Ring{Radius: 0.03, Pen: 0.016}, At: scene.Vec{X: 0.07}, Paint: cupRed},
			rect(scene.Vec{}, 0.065, 0.075, 0.02, cupRed),
			rect(scene.Vec{Y: 0.055}, 0.05, 0.015, 0, cupInside),
		}
	case "plate":
		return []scene.Mark{
			disc(scene.Vec{}, 0.1, chinaRim),
			disc(scene.Vec{}, 0.08, china),
		}
	case "bottle":
		return []scene.Mark{
			rect(scene.Vec{Y: -0.03}, 0.045, 0.085, 0.02, greenOil),
			rect(scene.Vec{Y: 0.08}, 0.018, 0.05, 0, bottleCap),
		}
	}
	return []scene.Mark{
		rect(scene.Vec{}, 0.08, 0.085, 0.01, teaBox),
		rect(scene.Vec{}, 0.05, 0.035, 0, teaLabel),
	}
}
