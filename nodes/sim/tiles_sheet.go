package sim

import (
	"sync"

	"stripswm/nodes/sim/scene"
)

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

// Scene shows the tray from above. The nuisance: how the camera looks at the tray, how each tile
// lies in its cell, the strength and the colour of the light, the sensor.
func (w *tiles) Scene(s State, j *scene.Jitter) (*scene.Scene, error) {
	if err := checkState(w, s); err != nil {
		return nil, err
	}
	digits, err := tileDigits()
	if err != nil {
		return nil, err
	}
	halfX, halfY := tilePitch*tileColumns/2+0.01, tilePitch*tileRows/2+0.01
	sheet := &scene.Sheet{Ground: felt, Marks: []scene.Mark{
		{Figure: scene.Rect{HalfX: halfX + trayBorder, HalfY: halfY + trayBorder, Round: 0.05},
			At: scene.Vec{X: 0.03, Y: -0.04}, Soft: 0.09},
		{Figure: scene.Rect{HalfX: halfX + trayBorder, HalfY: halfY + trayBorder, Round: 0.05},
			Paint: walnut},
		{Figure: scene.Rect{HalfX: halfX, HalfY: halfY, Round: 0.02}, Paint: trayBed},
	}}
	// Each tile has its draws wherever it is: a seed draws the same for every state.
	var off [tileCount + 1]scene.Vec
	var turn [tileCount + 1]float64
	for t := range off {
		off[t], turn[t] = scene.Vec{X: j.Shift(0.012), Y: j.Shift(0.012)}, j.Shift(0.025)
	}
	for cell, t := range w.states[s] {
		if t == 0 {
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
