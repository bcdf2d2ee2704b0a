package puzzles

import (
	"fmt"
	"strings"
)

// Hanoi moves the top disc of one of three pegs onto another, never onto a smaller one. A state is the
// peg of each disc, the smallest first.
func Hanoi(discs int) Puzzle {
	p := Puzzle{Name: fmt.Sprintf("hanoi %d", discs), Start: strings.Repeat("0", discs)}
	var ends [][2]byte
	for from := range byte(3) {
		for to := range byte(3) {
			if from != to {
				p.Skills = append(p.Skills, fmt.Sprintf("move_%d_%d", from, to))
				ends = append(ends, [2]byte{'0' + from, '0' + to})
			}
		}
	}
	p.step = func(state string, skill int) (string, bool) {
		from, to := ends[skill][0], ends[skill][1]
		disc := strings.IndexByte(state, from)
		if onto := strings.IndexByte(state, to); disc < 0 || onto >= 0 && onto < disc {
			return "", false
		}
		pegs := []byte(state)
		pegs[disc] = to
		return string(pegs), true
	}
	return p
}

// Carrier is a robot on a board that carries a thing: four moves, pick and place. A state is the
// robot's cell and the thing's, 'h' for held.
func Carrier(rows, cols int) Puzzle {
	const held = "h"
	word := func(c cell) string { return fmt.Sprintf("%d%d", c.row, c.col) }
	return Puzzle{
		Name: fmt.Sprintf("carrier %dx%d", rows, cols), Skills: append(moves[:4:4], "pick", "place"), Start: "00 " + word(cell{rows - 1, cols - 1}),
		step: func(state string, skill int) (string, bool) {
			robot, thing, _ := strings.Cut(state, " ")
			switch skill {
			case 4:
				return robot + " " + held, thing == robot
			case 5:
				return robot + " " + robot, thing == held
			}
			to := cell{int(robot[0] - '0'), int(robot[1] - '0')}.plus(steps[skill])
			return word(to) + " " + thing, to.in(rows, cols)
		},
	}
}

// Lamp has three buttons: power switches it on, dim, or off; brighter and darker change it between its
// three levels.
func Lamp() Puzzle {
	lead := map[string][3]string{
		"off":    {"dim", "", ""},
		"dim":    {"off", "medium", ""},
		"medium": {"off", "bright", "dim"},
		"bright": {"off", "", "medium"},
	}
	return Puzzle{
		Name: "lamp", Skills: []string{"power", "brighter", "darker"}, Start: "off",
		step: func(state string, skill int) (string, bool) {
			next := lead[state][skill]
			return next, next != ""
		},
	}
}
