package sim

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"stripswm/models/worlds"
	"stripswm/nodes/sim/scene"
)

// The sliding puzzle's sizes. Cells are numbered row by row, from the upper left.
const (
	tileCount   = 5
	tileColumns = 3
	tileRows    = 2
)

// The sliding puzzle is five tiles with digits in a tray of two rows and three columns, one cell
// empty. Half of the 720 ways to lay them can be reached. With the steps between neighbouring cells
// numbered k = 0 to 13, action 1 + 14(t-1) + k slides tile t by step k. A state-dependent skill
// slides its tile to where there is room.
func init() {
	define("slidingpuzzle", definition{
		dataset:   Dataset{States: 90, Actions: 70, Transitions: 3200},
		rules:     func() *worlds.World { return worlds.Puzzle(tileRows, tileColumns) },
		variables: variables(tileRows*tileColumns, tileCount+1, "cell"),
		describe: func(w word) string {
			var rows []string
			for row := range slices.Chunk(w, tileColumns) {
				rows = append(rows, strings.ReplaceAll(strings.Trim(fmt.Sprint(row), "[]"), "-1", "_"))
			}
			return strings.Join(rows, " / ")
		},
		scene: tilesScene,
		group: func(action string) string { return action[:len("slide_1")] },
	})
}

// The sliding puzzle on its sheet.
const (
	tilePitch  = 0.565
	tileHalf   = 0.258
	digitHigh  = 0.34
	trayBorder = 0.08
)

var (
	felt   = scene.RGB(52, 92, 74)
	walnut = scene.Paint{Color: scene.RGB(96, 58, 36), Other: scene.RGB(62, 36, 22),
		Pattern: scene.Grain, Size: 0.05, Seed: 5}
	trayBed   = scene.Paint{Color: scene.RGB(38, 26, 20)}
	ink       = scene.Paint{Color: scene.RGB(34, 24, 22)}
	tileLight = scene.Paint{Color: scene.RGB(246, 222, 176)} // a tile's edges towards the lamp
	tileShade = scene.Paint{Color: scene.RGB(142, 104, 62)}  // and away from it
)

// tileDigits are the characters printed on the tiles.
var tileDigits = sync.OnceValues(func() ([]*scene.Glyph, error) {
	var digits []*scene.Glyph
	for t := range tileCount {
		g, err := scene.NewGlyph(rune('1'+t), digitHigh)
		if err != nil {
			return nil, err
		}
		digits = append(digits, g)
	}
	return digits, nil
})

// tilesScene shows the tray from above. The nuisance: how the camera looks at the tray, how each
// tile lies in its cell, the strength and the colour of the light, the sensor.
func tilesScene(w word, j *scene.Jitter) (*scene.Scene, error) {
	digits, err := tileDigits()
	if err != nil {
		return nil, err
	}
	halfX, halfY := tilePitch*tileColumns/2+0.01, tilePitch*tileRows/2+0.01
	sheet := &scene.Sheet{Ground: felt, Marks: []scene.Mark{
		{Figure: scene.Rect{HalfX: halfX + trayBorder, HalfY: halfY + trayBorder, Round: 0.05},
			At: scene.Vec{X: 0.03, Y: -0.04}, Soft: 0.09},
		rect(scene.Vec{}, halfX+trayBorder, halfY+trayBorder, 0.05, walnut),
		rect(scene.Vec{}, halfX, halfY, 0.02, trayBed),
	}}
	// Each tile has its draws wherever it is: a seed draws the same for every state.
	var off [tileCount + 1]scene.Vec
	var turn [tileCount + 1]float64
	for t := range off {
		off[t], turn[t] = scene.Vec{X: j.Shift(0.012), Y: j.Shift(0.012)}, j.Shift(0.025)
	}
	for cell, t := range w {
		if t == none {
			continue
		}
		middle := scene.Vec{
			X: tilePitch * (float64(cell%tileColumns) - float64(tileColumns-1)/2),
			Y: tilePitch * (float64(tileRows-1)/2 - float64(cell/tileColumns)),
		}
		marks := scene.Group(middle.Add(off[t]), turn[t], tileMarks(int(t), digits[t-1])...)
		sheet.Marks = append(sheet.Marks, scene.Thing(int(t), marks...)...)
	}
	view(sheet, j, 0.045, 0.022)
	sensor := webcam(j)
	sensor.Exposure *= j.Factor(0.12)
	warm := j.Uniform(0.10)
	sensor.Balance = sensor.Balance.Times(scene.Vec{X: 1 + warm, Y: 1, Z: 1 / (1 + warm)})
	return &scene.Scene{Sheet: sheet, Sensor: sensor}, nil
}

// tileMarks are a wooden tile with bevelled edges and a digit.
func tileMarks(t int, digit *scene.Glyph) []scene.Mark {
	const bevel = 0.022
	wood := scene.Paint{Color: scene.RGB(228, 194, 140), Other: scene.RGB(196, 154, 98),
		Pattern: scene.Grain, Size: 0.045, Seed: uint64(10 * t)}
	block := func(half float64) scene.Rect { return scene.Rect{HalfX: half, HalfY: half, Round: 0.03} }
	return []scene.Mark{
		{Figure: block(tileHalf), Paint: tileShade},
		{Figure: block(tileHalf - bevel/2), At: scene.Vec{X: -bevel / 2, Y: bevel / 2}, Paint: tileLight},
		{Figure: block(tileHalf - bevel), Paint: wood},
		{Figure: digit, Paint: ink},
	}
}
