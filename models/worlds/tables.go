package worlds

import (
	"fmt"
	"strings"
)

// Table is a gripper that picks objects and places them, one at a place and one in the gripper.
// With five objects and seven places it is DinnerTable, 6,720 states.
func Table(objects, places int) *World {
	b := builder{World: World{Name: named("table", objects, places)}}
	b.start("empty")
	for o := range objects {
		b.start(named("at", o, o))
	}
	for p := objects; p < places; p++ {
		b.start(named("clear", p))
	}
	for o := range objects {
		for p := range places {
			b.op(named("pick", o, p), fmt.Sprintf("empty,at_%d_%d", o, p),
				fmt.Sprintf("!empty,!at_%d_%d,held_%d,clear_%d", o, p, o, p))
		}
	}
	for o := range objects {
		for p := range places {
			b.op(named("place", o, p), fmt.Sprintf("held_%d,clear_%d", o, p),
				fmt.Sprintf("empty,at_%d_%d,!held_%d,!clear_%d", o, p, o, p))
		}
	}
	return &b.World
}

// Blocks is three equal blocks on three places and a gripper: an action names the place and how
// high its stack is. 16 states.
func Blocks() *World {
	b := builder{World: World{Name: "blocks"}}
	b.start("empty", "high_0_3", "high_1_0", "high_2_0")
	for r := range 3 {
		for h := 1; h <= 3; h++ {
			b.op(named("pick", r, h), fmt.Sprintf("empty,high_%d_%d", r, h),
				fmt.Sprintf("!empty,!high_%d_%d,high_%d_%d", r, h, r, h-1))
			b.op(named("place", r, h), fmt.Sprintf("!empty,high_%d_%d", r, h-1),
				fmt.Sprintf("empty,!high_%d_%d,high_%d_%d", r, h-1, r, h))
		}
	}
	return &b.World
}

// Kitchen is a gripper that takes things from drawers and worktops and puts them there. A drawer
// has to be open for that, and the gripper empty where one is opened or closed. With four things,
// three drawers and two worktops it has 9,000 states.
func Kitchen(things, drawers, worktops int) *World {
	b := builder{World: World{Name: named("kitchen", things, drawers, worktops)}}
	b.start("empty")
	for t := range things {
		b.start(named("in", t, t%(drawers+worktops)))
		for p := range drawers + worktops {
			open := ""
			if p < drawers {
				open = named(",open", p)
			}
			b.op(named("take", t, p), fmt.Sprintf("empty,in_%d_%d", t, p)+open,
				fmt.Sprintf("!empty,held_%d,!in_%d_%d", t, t, p))
			b.op(named("put", t, p), named("held", t)+open,
				fmt.Sprintf("empty,!held_%d,in_%d_%d", t, t, p))
		}
	}
	for d := range drawers {
		b.op(named("open", d), fmt.Sprintf("empty,!open_%d", d), named("open", d))
		b.op(named("close", d), fmt.Sprintf("empty,open_%d", d), named("!open", d))
	}
	return &b.World
}

// Moves is an arm that moves objects to places, wherever they are: to a place that is free.
func Moves(objects, places int) *World {
	b := builder{World: World{Name: named("moves", objects, places)}}
	for o := range objects {
		b.start(named("at", o, o))
		for p := range places {
			var free, leave []string
			for other := range objects {
				free = append(free, named("!at", other, p))
			}
			for q := range places {
				if q != p {
					leave = append(leave, named("!at", o, q))
				}
			}
			effects := append(leave, named("at", o, p))
			b.op(named("move", o, p), strings.Join(free, ","), strings.Join(effects, ","))
		}
	}
	return &b.World
}
