package sim

import (
	"fmt"
	"strings"
	"sync"

	"stripswm/models/strips"
)

// BoxStacking's sizes.
const (
	boxCount   = 4
	boxColumns = 3
	boxHigh    = 3 // boxes that a column holds
	boxCells   = boxColumns * boxHigh
)

// boxes is the setting that LSR was published with (Lippi et al. 2023, figure 7): four different
// boxes in a grid of three columns and three rows, and a box can be moved from the top of one
// column to the top of another. All 288 arrangements can be reached. Cells are numbered column by
// column from below, and action 1 + k makes move k.
type boxes struct{ numbered[shelf] }

// shelf is the box in each cell, 0 for an empty one.
type shelf [boxCells]int8

// boxMoves are from the highest box of a column to the lowest free cell of another, ascending:
// those that four boxes allow.
var boxMoves = func() (moves [][2]int) {
	for from := range boxCells {
		for to := range boxCells {
			both := from%boxHigh + 1 + to%boxHigh // boxes in the two columns
			if from/boxHigh != to/boxHigh && both <= boxCount && boxCount-both <= boxHigh {
				moves = append(moves, [2]int{from, to})
			}
		}
	}
	return moves
}()

func init() { worlds["boxstacking"] = func() World { return newBoxes() } }

// newBoxes begins with the first three boxes in the left column.
var newBoxes = sync.OnceValue(func() *boxes {
	return &boxes{number(shelf{1, 2, 3, 4}, len(boxMoves), shelf.move)}
})

// move takes an action apart and does it.
func (s shelf) move(a strips.ActionID) (shelf, bool) {
	from, to := boxMoves[a-1][0], boxMoves[a-1][1]
	top := from%boxHigh == boxHigh-1 || s[from+1] == 0
	lies := to%boxHigh == 0 || s[to-1] != 0
	if s[from] == 0 || !top || s[to] != 0 || !lies {
		return s, false
	}
	s[from], s[to] = 0, s[from]
	return s, true
}

func (w *boxes) Name() string     { return "boxstacking" }
func (w *boxes) Dataset() Dataset { return Dataset{States: 288, Actions: 48, Transitions: 13000} }

func (w *boxes) ActionName(a strips.ActionID) string {
	if a < 1 || int(a) > w.NumActions() {
		return fmt.Sprintf("unknown_%d", a)
	}
	return fmt.Sprintf("move_%d_%d", boxMoves[a-1][0], boxMoves[a-1][1])
}

func (w *boxes) Describe(s State) string {
	if s < 0 || int(s) >= len(w.states) {
		return fmt.Sprintf("no state %d", s)
	}
	var columns []string
	for c := range boxColumns {
		column := ""
		for _, box := range w.states[s][c*boxHigh : (c+1)*boxHigh] {
			if box != 0 {
				column += fmt.Sprint(box)
			}
		}
		columns = append(columns, "["+column+"]")
	}
	return strings.Join(columns, " ")
}
