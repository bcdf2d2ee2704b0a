package puzzles

import (
	"fmt"
	"strings"
)

// The moves on boards, in the order of their skills.
var (
	moves = []string{"up", "down", "left", "right"}
	steps = [...]cell{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}
)

// cell is a row and a column.
type cell struct{ row, col int }

func (c cell) plus(d cell) cell { return cell{c.row + d.row, c.col + d.col} }

// in tells whether the cell is on a board of that size.
func (c cell) in(rows, cols int) bool {
	return c.row >= 0 && c.row < rows && c.col >= 0 && c.col < cols
}

// Tiles is the sliding puzzle: a move shifts the hole, and the tile that was there the other way.
// A state is the tiles row by row, '_' for the hole. Half of the (rows*cols)! arrangements can
// be reached.
func Tiles(rows, cols int) Puzzle {
	const names = "_abcdefghijklmnop"
	return Puzzle{
		Name: fmt.Sprintf("tiles %dx%d", rows, cols), Skills: moves, Start: names[:rows*cols],
		step: func(state string, skill int) (string, bool) {
			hole := strings.IndexByte(state, '_')
			to := cell{hole / cols, hole % cols}.plus(steps[skill])
			if !to.in(rows, cols) {
				return "", false
			}
			tiles := []byte(state)
			tile := to.row*cols + to.col
			tiles[hole], tiles[tile] = tiles[tile], tiles[hole]
			return string(tiles), true
		},
	}
}

// LightsOut is a board of lamps, one skill for each: it switches the lamp and its neighbours. A state
// is '1' for each lamp that is on.
func LightsOut(rows, cols int) Puzzle {
	p := Puzzle{Name: fmt.Sprintf("lights out %dx%d", rows, cols), Start: strings.Repeat("0", rows*cols)}
	for i := range rows * cols {
		p.Skills = append(p.Skills, fmt.Sprintf("press_%d_%d", i/cols, i%cols))
	}
	p.step = func(state string, skill int) (string, bool) {
		lamps := []byte(state)
		at := cell{skill / cols, skill % cols}
		for _, d := range append(steps[:], cell{}) {
			if c := at.plus(d); c.in(rows, cols) {
				lamps[c.row*cols+c.col] ^= 1 // '0' and '1' differ in that bit
			}
		}
		return string(lamps), true
	}
	return p
}

// Boards for Sokoban: '#' a wall, '@' the player, '$' a box.
var (
	OneBox   = []string{"@   ", " $# ", "    "}
	TwoBoxes = []string{"@   ", " $$ ", "#  #"}
)

// Sokoban moves a player who pushes boxes and never pulls: boxes in corners stay there. A state is the
// board row by row.
func Sokoban(board []string) Puzzle {
	rows, cols := len(board), len(board[0])
	start := strings.Join(board, "/")
	return Puzzle{
		Name: fmt.Sprintf("sokoban %dx%d, %d boxes", rows, cols, strings.Count(start, "$")), Skills: moves, Start: start,
		step: func(state string, skill int) (string, bool) {
			index := func(c cell) int { return c.row*(cols+1) + c.col }
			b := []byte(state)
			i := strings.IndexByte(state, '@')
			from := cell{i / (cols + 1), i % (cols + 1)}
			to := from.plus(steps[skill])
			if !to.in(rows, cols) || b[index(to)] == '#' {
				return "", false
			}
			if b[index(to)] == '$' {
				beyond := to.plus(steps[skill])
				if !beyond.in(rows, cols) || b[index(beyond)] != ' ' {
					return "", false
				}
				b[index(beyond)] = '$'
			}
			b[index(from)], b[index(to)] = ' ', '@'
			return string(b), true
		},
	}
}
