package sim

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"stripswm/models/strips"
)

// The sliding puzzle's sizes. Cells are numbered row by row, from the upper left.
const (
	tileCount   = 5
	tileColumns = 3
	tileRows    = 2
)

// tiles is a sliding puzzle: five tiles with digits in a tray of two rows and three columns, one
// cell empty. Half of the 720 ways to lay them can be reached. With the steps between neighbouring
// cells numbered k = 0 to 13, action 1 + 14(t-1) + k slides tile t by step k.
type tiles struct{ numbered[tray] }

// tray is the tile in each cell, 0 for the empty one.
type tray [tileRows * tileColumns]int8

// tileSteps are the steps from a cell to a neighbour, ascending.
var tileSteps = func() (steps [][2]int) {
	for from := range tileRows * tileColumns {
		for _, to := range []int{from - tileColumns, from - 1, from + 1, from + tileColumns} {
			sameRow, inTray := from/tileColumns == to/tileColumns, to >= 0 && to < tileRows*tileColumns
			if inTray && (sameRow || from%tileColumns == to%tileColumns) {
				steps = append(steps, [2]int{from, to})
			}
		}
	}
	return steps
}()

func init() {
	worlds["slidingpuzzle"] = func() World { return newTiles() }
	worlds["slidingpuzzlecoarse"] = func() World { return newTilesStateDependent() }
}

var (
	newTiles = sync.OnceValue(func() *tiles {
		return &tiles{number(tray{1, 2, 3, 4, 5, 0}, tileCount*len(tileSteps), tray.slide)}
	})
	// newTilesStateDependent: 1 + (t-1) slides tile t to where there is room.
	newTilesStateDependent = sync.OnceValue(func() *stateDependent {
		w := newTiles()
		var names []string
		for t := range tileCount {
			names = append(names, fmt.Sprintf("slide_%d", t+1))
		}
		return makeStateDependent(w, names, func(a strips.ActionID) int {
			return int(a-1) / len(tileSteps)
		})
	})
)

// slide takes an action apart and does it.
func (t tray) slide(a strips.ActionID) (tray, bool) {
	tile, step := int8(a-1)/int8(len(tileSteps))+1, tileSteps[int(a-1)%len(tileSteps)]
	if t[step[0]] != tile || t[step[1]] != 0 {
		return t, false
	}
	t[step[0]], t[step[1]] = 0, tile
	return t, true
}

func (w *tiles) Name() string     { return "slidingpuzzle" }
func (w *tiles) Dataset() Dataset { return Dataset{States: 90, Actions: 70, Transitions: 3200} }

func (w *tiles) ActionName(a strips.ActionID) string {
	if a < 1 || int(a) > w.NumActions() {
		return fmt.Sprintf("unknown_%d", a)
	}
	step := tileSteps[int(a-1)%len(tileSteps)]
	return fmt.Sprintf("slide_%d_%d_%d", int(a-1)/len(tileSteps)+1, step[0], step[1])
}

func (w *tiles) Describe(s State) string {
	if s < 0 || int(s) >= len(w.states) {
		return fmt.Sprintf("no state %d", s)
	}
	var rows []string
	for row := range slices.Chunk(w.states[s][:], tileColumns) {
		rows = append(rows, strings.ReplaceAll(strings.Trim(fmt.Sprint(row), "[]"), "0", "_"))
	}
	return strings.Join(rows, " / ")
}
