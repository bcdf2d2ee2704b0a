package worlds

import "fmt"

// Hanoi moves discs between three pegs; an action names disc and pegs. 3^discs states.
func Hanoi(discs int) *World {
	w := &World{Name: named("hanoi", discs)}
	for d := range discs {
		w.start(named("on", d, 0))
		for from := range 3 {
			for to := range 3 {
				if from == to {
					continue
				}
				pre := named("on", d, from)
				for smaller := range d {
					pre += fmt.Sprintf(",!on_%d_%d,!on_%d_%d", smaller, from, smaller, to)
				}
				w.op(named("move", d, from, to), pre,
					fmt.Sprintf("!on_%d_%d,on_%d_%d", d, from, d, to))
			}
		}
	}
	return w
}

// Puzzle is a sliding puzzle with one cell empty; an action names tile and both cells. Two rows of
// three have 360 states.
func Puzzle(rows, cols int) *World {
	w := &World{Name: named("puzzle", rows, cols)}
	cells := rows * cols
	for t := 1; t < cells; t++ {
		w.start(named("cell", t-1, t))
		for from := range cells {
			for to := range cells {
				down, right := to/cols-from/cols, to%cols-from%cols
				if down*down+right*right == 1 {
					w.op(named("slide", t, from, to), fmt.Sprintf("cell_%d_%d,hole_%d", from, t, to),
						fmt.Sprintf("!cell_%d_%d,!hole_%d,cell_%d_%d,hole_%d", from, t, to, to, t, from))
				}
			}
		}
	}
	w.start(named("hole", cells-1))
	return w
}

// LightsOut is a board of lamps with a button to each, which toggles the lamp and its neighbours.
func LightsOut(rows, cols int) *World {
	w := &World{Name: named("lights_out", rows, cols)}
	for k := range rows * cols {
		var toggled []string
		for n := range rows * cols {
			if down, right := n/cols-k/cols, n%cols-k%cols; down*down+right*right <= 1 {
				toggled = append(toggled, named("lit", n, 0))
			}
		}
		w.toggle(named("press", k+1), toggled...)
	}
	return w
}

// KeyDoor is a robot on nine cells in two rooms and a key that it carries, with which it locks and
// unlocks the door from both sides. 113 states, the world keydoor of the simulator.
func KeyDoor() *World {
	w := &World{Name: "keydoor"}
	w.start("robot_3", "key_1", "locked")
	const left, right = 4, 5
	next := [][2]int{{0, 1}, {0, 3}, {1, 4}, {3, 4}, {4, 5}, {4, 7}, {5, 6}, {2, 6}, {5, 8}}
	for _, n := range next {
		door := ""
		if n == [2]int{left, right} {
			door = ",!locked"
		}
		for _, m := range [][2]int{n, {n[1], n[0]}} {
			w.op(named("move", m[0], m[1]), named("robot", m[0])+door,
				fmt.Sprintf("!robot_%d,robot_%d", m[0], m[1]))
		}
	}
	for at := range 9 {
		if at == left || at == right {
			w.op(named("lock", at), fmt.Sprintf("robot_%d,carried,!locked", at), "locked")
			w.op(named("unlock", at), fmt.Sprintf("robot_%d,carried,locked", at), "!locked")
			continue
		}
		here := named("robot", at)
		w.op(named("pick", at), here+named(",key", at), named("carried,!key", at))
		w.op(named("drop", at), here+",carried", named("!carried,key", at))
	}
	return w
}

// Vehicles drive between places and carry parcels. Two vehicles, five places and three parcels
// have 8,575 states.
func Vehicles(vehicles, places, parcels int) *World {
	w := &World{Name: named("vehicles", vehicles, places, parcels)}
	for v := range vehicles {
		w.start(named("vehicle", v, 0))
		for from := range places {
			for to := range places {
				if from != to {
					w.op(named("drive", v, from, to), named("vehicle", v, from),
						fmt.Sprintf("!vehicle_%d_%d,vehicle_%d_%d", v, from, v, to))
				}
			}
		}
	}
	for p := range parcels {
		w.start(named("parcel", p, 1+p%(places-1)))
		for v := range vehicles {
			for at := range places {
				here := fmt.Sprintf("vehicle_%d_%d", v, at)
				w.op(named("load", p, v, at), fmt.Sprintf("%s,parcel_%d_%d", here, p, at),
					fmt.Sprintf("!parcel_%d_%d,in_%d_%d", p, at, p, v))
				w.op(named("unload", p, v, at), fmt.Sprintf("%s,in_%d_%d", here, p, v),
					fmt.Sprintf("parcel_%d_%d,!in_%d_%d", p, at, p, v))
			}
		}
	}
	return w
}

// Gripper is a robot with two hands that carries balls between rooms on a line. Four balls and
// three rooms have 1,215 states.
func Gripper(balls, rooms int) *World {
	w := &World{Name: named("gripper", balls, rooms)}
	w.start("robot_0", "free_0", "free_1")
	for r := 1; r < rooms; r++ {
		for _, m := range [][2]int{{r - 1, r}, {r, r - 1}} {
			w.op(named("move", m[0], m[1]), named("robot", m[0]),
				fmt.Sprintf("!robot_%d,robot_%d", m[0], m[1]))
		}
	}
	for o := range balls {
		w.start(named("at", o, o%rooms))
		for r := range rooms {
			for h := range 2 {
				w.op(named("pick", o, r, h), fmt.Sprintf("robot_%d,at_%d_%d,free_%d", r, o, r, h),
					fmt.Sprintf("!at_%d_%d,!free_%d,in_%d_%d", o, r, h, o, h))
				w.op(named("drop", o, r, h), fmt.Sprintf("robot_%d,in_%d_%d", r, o, h),
					fmt.Sprintf("at_%d_%d,free_%d,!in_%d_%d", o, r, h, o, h))
			}
		}
	}
	return w
}
