package sim

import (
	"fmt"
	"math"
	"strings"

	"stripswm/models/worlds"
	"stripswm/nodes/sim/scene"
)

// BlocksWorld is three identical blocks in three stacking regions and a gripper that holds at most
// one. Action 1 + 3r + (h-1) picks the top block of region r, whose stack is h high; action
// 10 + 3r + (h-1) places the held block on region r, whose stack then is h high. State-dependent
// skills pick and place however high the stack.
func init() {
	define("blocksworld", definition{
		dataset: Dataset{States: 16, Actions: 18, Transitions: 5000},
		rules:   worlds.Blocks, ids: []string{"pick", "place"},
		variables: variables(3, 4, "high"),
		describe: func(w word) string {
			hand := "empty"
			if blockHeld(w) {
				hand = "holds a block"
			}
			return fmt.Sprintf("blocks in regions 0, 1, 2: %d, %d, %d; gripper %s", w[0], w[1], w[2],
				hand)
		},
		scene: blocksScene,
		group: func(action string) string { return action[:strings.LastIndex(action, "_")] },
	})
}

func blockHeld(w word) bool { return w[0]+w[1]+w[2] < 3 }

// BlocksWorld's furniture, in metres.
const (
	blockHalf     = 0.025
	regionHalf    = 0.045
	regionSpacing = 0.150
	gripHeight    = 0.262 // of the gripper's finger tips
)

var blocksTable = scene.Table{
	Min:       scene.Vec{X: -0.46, Y: -0.36},
	Max:       scene.Vec{X: 0.46, Y: 0.34},
	Thickness: 0.03,
	Wood: scene.Wood{
		Early: scene.RGB(224, 188, 140), Late: scene.RGB(176, 130, 82), Plank: 0.085, Seed: 3,
	},
}

var (
	redPaint  = scene.Material{Color: scene.RGB(198, 50, 42), Gloss: 0.10, Shine: 40, Mottle: 0.05}
	blueCloth = scene.Material{Color: scene.RGB(62, 98, 140), Mottle: 0.10, Gloss: 0.01}
)

// blocksScene sets the blocks on the table. The nuisance: where and how each block lies within its
// region or on the block below, how the gripper holds its own, the lamp, the sensor.
func blocksScene(w word, j *scene.Jitter) (*scene.Scene, error) {
	sc := &scene.Scene{Table: blocksTable, Floor: scene.RGB(104, 108, 114)}
	objects := 0
	for r, n := range w {
		x := regionSpacing * float64(r-1)
		sc.Mats = append(sc.Mats, scene.Mat{At: scene.Vec{X: x}, HalfX: regionHalf, HalfY: regionHalf,
			Material: blueCloth})
		at := scene.Vec{X: x + j.Shift(0.008), Y: j.Shift(0.008)}
		yaw := j.Shift(0.2)
		for h := range n {
			at.Z = blockHalf * (2*float64(h) + 1)
			objects++
			sc.Bodies = append(sc.Bodies, block(objects, at, yaw))
			at.X += j.Shift(0.0025)
			at.Y += j.Shift(0.0025)
			yaw += j.Shift(0.06)
		}
	}
	tip := scene.Vec{X: j.Shift(0.006), Y: 0.03 + j.Shift(0.006), Z: gripHeight + j.Shift(0.005)}
	open := 0.036
	if blockHeld(w) {
		open = blockHalf
		sc.Bodies = append(sc.Bodies, block(objects+1, tip.Add(scene.Vec{Z: -0.004 + j.Shift(0.003)}),
			j.Shift(0.02)))
	}
	sc.Bodies = append(sc.Bodies, gripper(tip, open)...)
	sc.View = scene.View{
		Eye:    scene.Vec{X: j.Shift(0.003), Y: -0.80 + j.Shift(0.003), Z: 0.62 + j.Shift(0.003)},
		Target: scene.Vec{X: j.Shift(0.002), Y: 0.02, Z: 0.110},
		FOV:    27.5 * math.Pi / 180,
	}
	sc.Light, sc.Sensor = studio(j), webcam(j)
	return sc, nil
}

func block(object int, at scene.Vec, yaw float64) scene.Body {
	return scene.Body{
		Shape: scene.Box{Size: scene.Vec{X: blockHalf, Y: blockHalf, Z: blockHalf}, Bevel: 0.0035},
		At:    at, Rot: scene.Yaw(yaw), Material: redPaint, Object: object,
	}
}
