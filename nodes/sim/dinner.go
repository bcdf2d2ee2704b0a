package sim

import (
	"fmt"
	"math"
	"strings"

	"stripswm/models/worlds"
	"stripswm/nodes/sim/scene"
)

// DinnerTable's objects and placements, in the order of their numbers.
var (
	dinnerObjects = [...]string{"mug", "glass", "fork", "knife", "spoon"}
	dinnerPlaces  = [...]string{
		"back left", "back middle", "back right", "front far left", "front left", "front right",
		"front far right",
	}
)

// held stands among places for the gripper.
const held = int8(len(dinnerPlaces))

// dinner says what is the same for all tables: that they begin with drinks behind and cutlery in
// front, and how they look. real has distractors, and the nuisance of a real rig.
func dinner(objects int, real bool, rules func(objects, places int) *worlds.World) definition {
	return definition{
		rules: func() *worlds.World {
			start, clear := []string{"empty"}, [held]bool{}
			for p := range clear {
				clear[p] = true
			}
			for o, p := range []int{0, 2, 4, 5, 6}[:objects] {
				start, clear[p] = append(start, fmt.Sprintf("at_%d_%d", o, p)), false
			}
			for p, clear := range clear {
				if clear {
					start = append(start, fmt.Sprint("clear_", p))
				}
			}
			return rules(objects, int(held)).From(start...)
		},
		things: dinnerObjects[:],
		variables: each(objects, func(o int) []string {
			return append(facts(int(held), fmt.Sprint("at_", o)), fmt.Sprint("held_", o))
		}),
		describe: describeDinner,
		scene: func(w word, j *scene.Jitter) (*scene.Scene, error) {
			return dinnerScene(w, real, nil, j), nil
		},
	}
}

// The dinner tables have five distinct objects, seven placements for one object each, a gripper for
// one object. Their pairs (object, placement) are numbered k = 0, 1, ...; action 1 + k picks the
// object from the placement and action 1 + len(pairs) + k places it there. With all pairs that is
// pick(o,p) = 1 + 7o + p and place(o,p) = 36 + 7o + p. State-dependent skills pick and place at a
// place whatever the object. The real rig leaves out three pairs that it cannot do: the arm does
// not reach the near corners low enough for the glass, and the bowl is in the way of the mug's
// handle.
func init() {
	table := dinner(5, false, worlds.Table)
	table.dataset, table.sorted = Dataset{States: 101, Actions: 70, Transitions: 12000}, true
	table.group = func(action string) string { return verb(action) + action[len(action)-2:] }
	define("dinnertable", table)
	real := dinner(5, true, func(int, int) *worlds.World { return worlds.RealTable() })
	real.dataset, real.sorted, real.group = Dataset{States: 71, Actions: 64, Transitions: 3000}, true,
		table.group
	define("dinnertablereal", real)
}

// describeDinner says where the objects are.
func describeDinner(w word) string {
	var words []string
	for o, p := range w {
		switch p {
		case none:
		case held:
			words = append(words, dinnerObjects[o]+" in the gripper")
		default:
			words = append(words, dinnerObjects[o]+" "+dinnerPlaces[p])
		}
	}
	return strings.Join(words, ", ")
}

// dinnerSpots are the placements on the table, metres, in the order of dinnerPlaces.
var dinnerSpots = [len(dinnerPlaces)]scene.Vec{
	{X: -0.285, Y: 0.165}, {X: -0.045, Y: 0.165}, {X: 0.275, Y: 0.165},
	{X: -0.300, Y: -0.085}, {X: -0.172, Y: -0.085}, {X: 0.155, Y: -0.085}, {X: 0.285, Y: -0.085},
}

var dinnerTable = scene.Table{
	Min:       scene.Vec{X: -0.62, Y: -0.45},
	Max:       scene.Vec{X: 0.62, Y: 0.42},
	Thickness: 0.03,
	Wood: scene.Wood{
		Early: scene.RGB(192, 150, 112), Late: scene.RGB(140, 98, 66), Plank: 0.11, Seed: 8,
	},
}

// dinnerScene lays the table, with fixtures that its world has on it beside the objects. The
// nuisance: where and how each object lies within its place, how the gripper holds its own, the
// lamp, the sensor; on the real rig also the camera's pose, shadows of people who pass, the colour
// of the light, motion blur and JPEG.
func dinnerScene(w word, real bool, fixtures []scene.Body, j *scene.Jitter) *scene.Scene {
	sc := &scene.Scene{Table: dinnerTable, Floor: scene.RGB(100, 101, 104)}
	shift, turn := 0.007, 0.12
	if real {
		shift, turn = 0.010, 0.22
	}
	tip := scene.Vec{X: j.Shift(0.008), Y: 0.20 + j.Shift(0.008), Z: 0.335 + j.Shift(0.006)}
	open := 0.040
	for o, place := range w {
		if place == none {
			continue
		}
		thing := &wares[o]
		dx, dy, yaw := j.Shift(shift), j.Shift(shift), j.Shift(turn)
		if place == held {
			sc.Bodies = append(sc.Bodies, belonging(o+1, thing.hang(tip, yaw/3))...)
			open = thing.grip
			continue
		}
		rest := 0.35 // the mug's handle looks to the right and back
		if thing.flat {
			rest = math.Pi / 2
		}
		foot := dinnerSpots[place].Add(scene.Vec{X: dx, Y: dy})
		sc.Bodies = append(sc.Bodies, belonging(o+1, thing.put(foot, scene.Yaw(rest+yaw)))...)
	}
	sc.Bodies = append(sc.Bodies, gripper(tip, open)...)
	sc.Bodies = append(sc.Bodies, fixtures...)
	sc.View = scene.View{
		Eye:    scene.Vec{Y: -0.86, Z: 0.92},
		Target: scene.Vec{Y: 0.075, Z: 0.085},
		FOV:    36.5 * math.Pi / 180,
	}
	sc.Light, sc.Sensor = studio(j), webcam(j)
	if real {
		makeReal(sc, j)
	}
	return sc
}

// hang returns the object's bodies as the gripper holds them at tip: upright, cutlery tip down.
func (w *ware) hang(tip scene.Vec, yaw float64) []scene.Body {
	if !w.flat {
		return w.put(tip.Sub(scene.Vec{Z: w.hold}), scene.Yaw(0.35+yaw))
	}
	// The object's x axis points down and its flat side to the camera.
	down := scene.Rot{X: scene.Vec{Z: -1}, Y: scene.Vec{X: -1}, Z: scene.Vec{Y: -1}}.Then(
		scene.Yaw(yaw))
	return w.put(tip.Sub(down.Apply(scene.Vec{X: w.hold})), down)
}
