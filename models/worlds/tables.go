package worlds

import (
	"fmt"
	"slices"
	"strings"
)

// Table is a gripper that picks objects and places them, one at a place and one in the gripper.
// With five objects and seven places it is DinnerTable, 6,720 states.
func Table(objects, places int) *World {
	w := &World{Name: named("table", objects, places)}
	w.start("empty")
	for o := range objects {
		w.start(named("at", o, o))
	}
	for p := objects; p < places; p++ {
		w.start(named("clear", p))
	}
	for o := range objects {
		for p := range places {
			w.op(named("pick", o, p), fmt.Sprintf("empty,at_%d_%d", o, p),
				fmt.Sprintf("!empty,!at_%d_%d,held_%d,clear_%d", o, p, o, p))
		}
	}
	for o := range objects {
		for p := range places {
			w.op(named("place", o, p), fmt.Sprintf("held_%d,clear_%d", o, p),
				fmt.Sprintf("empty,at_%d_%d,!held_%d,!clear_%d", o, p, o, p))
		}
	}
	return w
}

// RealTable is the table of the simulator's Real-like world: five objects, seven places and 64
// skills, since three pairs of an object and a place are out of reach. 4,440 states.
func RealTable() *World {
	w := Table(5, 7)
	w.Name = "real_table"
	w.Operators = slices.DeleteFunc(w.Operators, func(o Operator) bool {
		_, pair, _ := strings.Cut(o.Name, "_")
		return pair == "0_1" || pair == "1_3" || pair == "1_6"
	})
	return w
}

// Blocks is three equal blocks on three places and a gripper: an action names the place and how
// high its stack is. 16 states.
func Blocks() *World {
	w := &World{Name: "blocks"}
	w.start("empty", "high_0_3", "high_1_0", "high_2_0")
	for r := range 3 {
		for h := 1; h <= 3; h++ {
			w.op(named("pick", r, h), fmt.Sprintf("empty,high_%d_%d", r, h),
				fmt.Sprintf("!empty,!high_%d_%d,high_%d_%d", r, h, r, h-1))
			w.op(named("place", r, h), fmt.Sprintf("!empty,high_%d_%d", r, h-1),
				fmt.Sprintf("empty,!high_%d_%d,high_%d_%d", r, h-1, r, h))
		}
	}
	return w
}

// Boxes are four different boxes in three columns of three cells; an action moves the highest box
// of a column from its cell to the lowest free one of another column. 288 states.
func Boxes() *World {
	const boxes, cells, high = 4, 9, 3
	w := &World{Name: "boxes"}
	for b := range boxes {
		w.start(named("box", b, b+1), named("full", b))
	}
	for from := range cells {
		for to := range cells {
			both := from%high + 1 + to%high // boxes in the two columns
			if from/high == to/high || both > boxes || boxes-both > high {
				continue
			}
			pre := fmt.Sprintf(",!full_%d", to)
			if from%high < high-1 {
				pre += fmt.Sprintf(",!full_%d", from+1)
			}
			if to%high > 0 {
				pre += fmt.Sprintf(",full_%d", to-1)
			}
			for b := 1; b <= boxes; b++ {
				w.op(named("move", from, to), named("box", from, b)+pre, fmt.Sprintf(
					"!box_%d_%d,!full_%d,box_%d_%d,full_%d", from, b, from, to, b, to))
			}
		}
	}
	return w
}

// Kitchen is a gripper that takes things from drawers and worktops and puts them there. A drawer
// has to be open for that, and the gripper empty where one is opened or closed. With four things,
// three drawers and two worktops it has 9,000 states.
func Kitchen(things, drawers, worktops int) *World {
	w := &World{Name: named("kitchen", things, drawers, worktops)}
	w.start("empty")
	for t := range things {
		w.start(named("in", t, t%(drawers+worktops)))
		for p := range drawers + worktops {
			open := ""
			if p < drawers {
				open = named(",open", p)
			}
			w.op(named("take", t, p), fmt.Sprintf("empty,in_%d_%d", t, p)+open,
				fmt.Sprintf("!empty,held_%d,!in_%d_%d", t, t, p))
			w.op(named("put", t, p), named("held", t)+open,
				fmt.Sprintf("empty,!held_%d,in_%d_%d", t, t, p))
		}
	}
	for d := range drawers {
		w.op(named("open", d), fmt.Sprintf("empty,!open_%d", d), named("open", d))
		w.op(named("close", d), fmt.Sprintf("empty,open_%d", d), named("!open", d))
	}
	return w
}

// Moves is an arm that moves objects to places, wherever they are: to a place that is free.
func Moves(objects, places int) *World {
	w := &World{Name: named("moves", objects, places)}
	for o := range objects {
		w.start(named("at", o, o))
		for p := range places {
			var leave []string
			for q := range places {
				if q != p {
					leave = append(leave, named("!at", o, q))
				}
			}
			w.op(named("move", o, p), free(objects, p),
				strings.Join(append(leave, named("at", o, p)), ","))
		}
	}
	return w
}

// free says that no object is at a place.
func free(objects, place int) string { return none(objects, fmt.Sprintf("at_%%d_%d", place)) }
