package sim

import (
	"fmt"
	"slices"

	"stripswm/models/worlds"
	"stripswm/nodes/sim/scene"
)

// keydoorPlan is the floor: the wall between its second and third column has one door, in the
// middle row. Cells with a dot are numbered row by row.
var keydoorPlan = [...]string{
	"..#.",
	"....",
	"#..#",
}

// keydoorCells are the column and the row of each cell.
var keydoorCells = func() (cells [][2]int) {
	for y, row := range keydoorPlan {
		for x, c := range row {
			if c == '.' {
				cells = append(cells, [2]int{x, y})
			}
		}
	}
	return cells
}()

// The names of the state-dependent skills, of which the first are moves by these columns and rows,
// and the last does with the key what can be done with it here.
var (
	keydoorDirections = [][2]int{{0, -1}, {0, 1}, {-1, 0}, {1, 0}}
	keydoorNames      = []string{"up", "down", "left", "right", "use"}
)

// The keydoor is a floor of nine cells in two rooms, with a robot that moves from cell to cell and
// a key that it can pick up, carry and put down. Who stands at the door with the key in hand locks
// and unlocks it, from either side; there nothing can be put down, so that nobody has to choose.
// The actions are, one after the other, the moves by cell, the cells to pick at, those to drop at,
// and to lock and to unlock from the left and from the right.
func init() {
	define("keydoor", definition{
		dataset: Dataset{States: 113, Actions: 36, Transitions: 4500},
		rules:   worlds.KeyDoor, ids: []string{"move", "pick", "drop", "lock", "unlock"},
		variables: [][]string{facts(len(keydoorCells), "robot"), facts(len(keydoorCells), "key"),
			{"locked"}},
		describe: func(w word) string {
			key, door := "with the robot", "unlocked"
			if w[1] != none {
				key = fmt.Sprintf("in cell %d", w[1])
			}
			if w[2] != none {
				door = "locked"
			}
			return fmt.Sprintf("robot in cell %d, key %s, door %s", w[0], key, door)
		},
		scene: keydoorScene,
		group: func(action string) string {
			var from, to int
			if _, err := fmt.Sscanf(action, "move_%d_%d", &from, &to); err != nil {
				return "use"
			}
			a, b := keydoorCells[from], keydoorCells[to]
			return keydoorNames[slices.Index(keydoorDirections, [2]int{b[0] - a[0], b[1] - a[1]})]
		},
		groups: keydoorNames,
	})
}

// The keydoor's sprites and cells on its sheet.
const (
	cellPitch = 0.42
	doorGap   = 0.08 // that the wall between the rooms takes
)

var (
	rockEdge   = scene.Paint{Color: scene.RGB(38, 32, 44)}
	rockTop    = scene.Paint{Color: scene.RGB(92, 82, 102)}
	robotBlue  = scene.Paint{Color: scene.RGB(40, 120, 220)}
	robotDark  = scene.Paint{Color: scene.RGB(18, 40, 96)}
	robotWhite = scene.Paint{Color: scene.RGB(240, 246, 255)}
	keyGold    = scene.Paint{Color: scene.RGB(255, 196, 0)}
	keyRim     = scene.Paint{Color: scene.RGB(122, 74, 0)}
	doorWood   = scene.Paint{Color: scene.RGB(170, 62, 28)}
	doorBolt   = scene.Paint{Color: scene.RGB(250, 220, 70)}
	doorSill   = scene.Paint{Color: scene.RGB(122, 196, 96)}
)

// cellMiddle returns where a column and a row of the plan are.
func cellMiddle(x, y int) scene.Vec {
	gap := doorGap / 2
	if x < 2 {
		gap = -gap
	}
	return scene.Vec{X: cellPitch*(float64(x)-1.5) + gap, Y: cellPitch * (1 - float64(y))}
}

// keydoorScene shows the floor from above. The nuisance: how the camera looks at it, where in its
// cell each thing stands, where the squares of the carpet lie, which has nothing to do with the
// cells, and light that falls in from one side.
func keydoorScene(w word, j *scene.Jitter) (*scene.Scene, error) {
	robotAt, keyAt, carried := w[0], w[1], w[1] == none
	sheet := &scene.Sheet{Marks: append(carpet(j), walls()...)}
	sheet.Marks = append(sheet.Marks, door(w[2] != none)...)
	play := func() scene.Vec { return scene.Vec{X: j.Shift(0.022), Y: j.Shift(0.022)} }
	tilt := j.Shift(0.12)
	robotPlay, keyPlay := play(), play()
	at := keydoorCells[robotAt]
	stand := cellMiddle(at[0], at[1]).Add(scene.Vec{X: -0.055, Y: -0.05}).Add(robotPlay)
	sheet.Marks = append(sheet.Marks, scene.Thing(1, robot(stand, carried)...)...)
	// The key lies in the cell's upper right corner, where the robot leaves it to be seen, or on the
	// robot.
	lies := stand.Add(scene.Vec{X: 0.01, Y: 0.015})
	if !carried {
		at := keydoorCells[keyAt]
		lies = cellMiddle(at[0], at[1]).Add(scene.Vec{X: 0.095, Y: 0.11}).Add(keyPlay)
	}
	sheet.Marks = append(sheet.Marks, scene.Thing(2, scene.Group(lies, tilt, key()...)...)...)
	view(sheet, j, 0.04, 0.015)
	sheet.Shade = scene.Vec{X: j.Uniform(0.22), Y: j.Uniform(0.22)}
	return &scene.Scene{Sheet: sheet, Sensor: scene.Sensor{
		Exposure: j.Factor(0.15),
		Balance:  scene.Vec{X: j.Factor(0.03), Y: 1, Z: j.Factor(0.03)},
		Noise:    j.Scale(0.006) + j.Positive(0.006),
	}}, nil
}

// carpet is laid again for each image.
func carpet(j *scene.Jitter) []scene.Mark {
	const square = 0.11
	squares := scene.Paint{Color: scene.RGB(226, 214, 186), Other: scene.RGB(204, 188, 156),
		Pattern: scene.Checks, Size: square}
	at := scene.Vec{X: j.Shift(square), Y: j.Shift(square)}
	return []scene.Mark{rect(at, 2.5, 2.5, 0, squares)}
}

// walls are the rock around the rooms, between them, and where the plan has no cell. They reach
// into one another, so that no seam is seen.
func walls() []scene.Mark {
	const (
		edge  = 0.022
		thick = doorGap / 2 // half of it
		rock  = 2           // of what is around the rooms, more than can be seen
		right = 2*cellPitch + thick
		top   = 1.5 * cellPitch
	)
	var edges, tops []scene.Mark
	wall := func(x0, y0, x1, y1 float64) {
		at, halfX, halfY := scene.Vec{X: (x0 + x1) / 2, Y: (y0 + y1) / 2}, (x1-x0)/2, (y1-y0)/2
		edges = append(edges, rect(at, halfX+edge, halfY+edge, 0, rockEdge))
		tops = append(tops, rect(at, halfX, halfY, 0, rockTop))
	}
	wall(-right-rock, -top-rock, -right, top+rock)
	wall(right, -top-rock, right+rock, top+rock)
	wall(-right-rock, top, right+rock, top+rock)
	wall(-right-rock, -top-rock, right+rock, -top)
	wall(-thick, cellPitch/2, thick, top+rock)
	wall(-thick, -top-rock, thick, -cellPitch/2)
	// What is no cell lies in the upper or lower row: rock up or down from there, and to the nearer
	// wall.
	for y, row := range keydoorPlan {
		for x, c := range row {
			if c != '#' {
				continue
			}
			m := cellMiddle(x, y)
			x0, x1 := m.X-cellPitch/2, m.X+cellPitch/2
			if x%2 == 0 {
				x0 -= thick
			} else {
				x1 += thick
			}
			wall(x0, min(m.Y-cellPitch/2, 3*m.Y), x1, max(m.Y+cellPitch/2, 3*m.Y))
		}
	}
	return append(edges, tops...)
}

// door is barred where it is locked; else one looks at the sill.
func door(locked bool) []scene.Mark {
	leaf := scene.Rect{HalfX: 0.05, HalfY: cellPitch / 2}
	if !locked {
		return []scene.Mark{{Figure: leaf, Paint: doorSill}}
	}
	return []scene.Mark{
		{Figure: leaf, Paint: doorWood},
		rect(scene.Vec{}, 0.075, 0.06, 0.02, doorBolt),
		disc(scene.Vec{}, 0.022, keyRim),
	}
}

func robot(at scene.Vec, carries bool) []scene.Mark {
	limbs := 0.115
	if carries {
		limbs = 0.145 // it spreads them
	}
	return scene.Group(at, 0,
		rect(scene.Vec{Y: -0.02}, limbs, 0.03, 0.02, robotDark),
		rect(scene.Vec{}, 0.098, 0.115, 0.04, robotBlue),
		rect(scene.Vec{Y: 0.055}, 0.07, 0.03, 0.02, robotWhite),
		disc(scene.Vec{X: -0.034, Y: 0.055}, 0.019, robotDark),
		disc(scene.Vec{X: 0.034, Y: 0.055}, 0.019, robotDark),
	)
}

// key is a bow, a shank and two teeth, with a dark rim.
func key() (marks []scene.Mark) {
	for _, k := range []struct {
		rim   float64
		paint scene.Paint
	}{{0.014, keyRim}, {0, keyGold}} {
		marks = append(marks,
			scene.Mark{Figure: scene.Ring{Radius: 0.036, Pen: 0.019 + k.rim}, At: scene.Vec{X: -0.05},
				Paint: k.paint},
			rect(scene.Vec{X: 0.045}, 0.055+k.rim, 0.017+k.rim, 0, k.paint),
			rect(scene.Vec{X: 0.085, Y: -0.025}, 0.015+k.rim, 0.03+k.rim, 0, k.paint))
	}
	return marks
}
