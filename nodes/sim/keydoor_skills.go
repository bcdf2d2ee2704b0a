package sim

import (
	"fmt"
	"slices"
)

// keydoorPlan is the floor: the wall between its second and third column has one door, in the
// middle row. Cells with a dot are numbered row by row.
var keydoorPlan = [...]string{
	"..#.",
	"....",
	"#..#",
}

// The cells on both sides of the door.
const doorLeft, doorRight = 4, 5

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

// keydoorSkill is what an action of the keydoor does: from a cell, and where it is a move to
// another one.
type keydoorSkill struct {
	verb     string
	from, to int8
}

func (k keydoorSkill) String() string {
	if k.verb == "move" {
		return fmt.Sprintf("move_%d_%d", k.from, k.to)
	}
	return fmt.Sprintf("%s_%d", k.verb, k.from)
}

// The names of the state-dependent skills, of which the first are moves by these columns and rows.
var (
	keydoorDirections = [...][2]int{{0, -1}, {0, 1}, {-1, 0}, {1, 0}}
	keydoorNames      = []string{"up", "down", "left", "right", "use"}
)

// direction returns which of the directions a move goes in.
func (k keydoorSkill) direction() int {
	a, b := keydoorCells[k.from], keydoorCells[k.to]
	return slices.Index(keydoorDirections[:], [2]int{b[0] - a[0], b[1] - a[1]})
}

var keydoorSkills = func() (skills []keydoorSkill) {
	for from := range keydoorCells {
		for to := range keydoorCells {
			k := keydoorSkill{"move", int8(from), int8(to)}
			if k.direction() >= 0 && !k.throughWall() {
				skills = append(skills, k)
			}
		}
	}
	for _, verb := range []string{"pick", "drop"} {
		for at := range int8(len(keydoorCells)) {
			if !atDoor(at) {
				skills = append(skills, keydoorSkill{verb: verb, from: at})
			}
		}
	}
	for _, verb := range []string{"lock", "unlock"} {
		skills = append(skills, keydoorSkill{verb: verb, from: doorLeft},
			keydoorSkill{verb: verb, from: doorRight})
	}
	return skills
}()

func atDoor(cell int8) bool { return cell == doorLeft || cell == doorRight }

func (k keydoorSkill) throughDoor() bool { return atDoor(k.from) && atDoor(k.to) }

func (k keydoorSkill) throughWall() bool {
	left, right := keydoorCells[k.from][0], keydoorCells[k.to][0]
	return min(left, right) == 1 && max(left, right) == 2 && !k.throughDoor()
}
