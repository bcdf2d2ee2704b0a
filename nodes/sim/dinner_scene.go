package sim

import (
	"math"

	"stripswm/nodes/sim/scene"
)

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

// Scene lays the table. The nuisance: where and how each object lies within its place, how the
// gripper holds its own, the lamp, the sensor; on the real rig also the camera's pose, shadows of
// people who pass, the colour of the light, motion blur and JPEG.
func (w *dinner) Scene(s State, j *scene.Jitter) (*scene.Scene, error) {
	if err := checkState(w, s); err != nil {
		return nil, err
	}
	return w.states[s].scene(w.real, nil, j), nil
}

// scene lays the table for a layout, with fixtures that its world has on the table beside it.
func (l layout) scene(real bool, fixtures []scene.Body, j *scene.Jitter) *scene.Scene {
	sc := &scene.Scene{Table: dinnerTable, Floor: scene.RGB(100, 101, 104)}
	shift, turn := 0.007, 0.12
	if real {
		shift, turn = 0.010, 0.22
	}
	tip := scene.Vec{X: j.Shift(0.008), Y: 0.20 + j.Shift(0.008), Z: 0.335 + j.Shift(0.006)}
	open := 0.040
	for o, place := range l {
		if place == away {
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
