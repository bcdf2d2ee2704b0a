package sim

import (
	"fmt"
	"strings"

	"stripswm/models/worlds"
	"stripswm/nodes/sim/scene"
)

// BoxStacking's sizes.
const (
	boxCount   = 4
	boxColumns = 3
	boxHigh    = 3 // boxes that a column holds
)

// BoxStacking is the setting that LSR was published with (Lippi et al. 2023, figure 7): four
// different boxes in a grid of three columns and three rows, and a box can be moved from the top of
// one column to the top of another. Cells are numbered column by column from below. The actions are
// the moves from a cell to another, ascending, that four boxes allow.
func init() {
	define("boxstacking", definition{
		dataset:   Dataset{States: 288, Actions: 48, Transitions: 13000},
		rules:     worlds.Boxes,
		variables: variables(boxColumns*boxHigh, boxCount+1, "box"),
		describe: func(w word) string {
			return strings.Join(each(boxColumns, func(c int) string {
				column := ""
				for _, box := range w[c*boxHigh : (c+1)*boxHigh] {
					if box != none {
						column += fmt.Sprint(box)
					}
				}
				return "[" + column + "]"
			}), " ")
		},
		scene: boxesScene,
	})
}

// The boxes on their sheet, seen from the front.
const (
	boxPitch  = 0.58 // of columns
	boxHalf   = 0.235
	floorHigh = 0.78 // of the floor, below the middle
)

var (
	wall  = scene.RGB(196, 200, 204)
	floor = scene.Paint{Color: scene.RGB(120, 104, 88), Other: scene.RGB(104, 88, 74),
		Pattern: scene.Grain, Size: 0.05, Seed: 9}
	boxEdge  = scene.Paint{Color: scene.RGB(40, 38, 36)}
	boxCoats = [boxCount]scene.Paint{{Color: scene.RGB(196, 52, 44)}, {Color: scene.RGB(60, 124, 196)},
		{Color: scene.RGB(76, 156, 76)}, {Color: scene.RGB(228, 184, 60)}}
)

// boxesScene shows the stacks from the front. The nuisance: how the camera looks at them, where
// each box lies in its cell (as much as a tenth of its side), the light, the sensor.
func boxesScene(w word, j *scene.Jitter) (*scene.Scene, error) {
	sheet := &scene.Sheet{Ground: wall, Marks: []scene.Mark{
		rect(scene.Vec{Y: -floorHigh - 1}, 2, 1, 0, floor),
	}}
	// Each box has its draws wherever it is: a seed draws the same for every state.
	var off [boxCount]float64
	for b := range off {
		off[b] = j.Shift(0.025)
	}
	for cell, box := range w {
		if box == none {
			continue
		}
		at := scene.Vec{
			X: boxPitch*(float64(cell/boxHigh)-float64(boxColumns-1)/2) + off[box-1],
			Y: -floorHigh + boxHalf*float64(2*(cell%boxHigh)+1),
		}
		const line = 0.02
		sheet.Marks = append(sheet.Marks, scene.Thing(int(box),
			rect(at, boxHalf, boxHalf, 0.02, boxEdge),
			rect(at, boxHalf-line, boxHalf-line, 0.02, boxCoats[box-1]))...)
	}
	view(sheet, j, 0.03, 0.015)
	return &scene.Scene{Sheet: sheet, Sensor: webcam(j)}, nil
}
