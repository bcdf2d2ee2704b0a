package worlds

import "fmt"

// The worlds below are a dinner table with skills of other kinds than to pick from a place and to
// place there: such that set a fact whatever it was before, flip one, or depend on the state.

// Picks is a gripper that picks objects wherever they are.
func Picks(objects, places int) *World {
	w := &World{Name: named("picks", objects, places)}
	for o := range objects {
		w.start(named("at", o, o))
		w.op(named("pick", o), none(objects, "held_%d"),
			none(places, fmt.Sprintf("at_%d_%%d", o))+named(",held", o))
	}
	for o := range objects {
		for p := range places {
			w.op(named("place", o, p), named("held", o)+","+free(objects, p),
				fmt.Sprintf("!held_%d,at_%d_%d", o, o, p))
		}
	}
	return w
}

// Lamp is a table with a lamp that one skill turns on and off, always with success.
func Lamp(objects, places int) *World {
	w := Table(objects, places)
	w.toggle("flip_lamp", "lit_0")
	return w
}

// Sweep is a table with a skill that moves what stands at the first place to the next free one.
func Sweep(objects, places int) *World {
	w := Table(objects, places)
	for o := range objects {
		taken := ""
		for p := 1; p < places; p++ {
			w.op("sweep", fmt.Sprintf("at_%d_0,clear_%d", o, p)+taken,
				fmt.Sprintf("!at_%d_0,at_%d_%d,clear_0,!clear_%d", o, o, p, p))
			taken += named(",!clear", p)
		}
	}
	return w
}

// Lids is a table with three lids, which are opened and never closed.
func Lids(objects, places int) *World {
	w := Table(objects, places)
	for k := range 3 {
		w.op(named("open", k), named("!open", k), named("open", k))
	}
	return w
}

// Switches is a table with two lamps that are turned on and off, always with success, also where a
// lamp is so already. In the dark of the first lamp nothing is picked or placed.
func Switches(objects, places int) *World {
	w := Table(objects, places)
	for i := range w.Operators {
		w.Operators[i].Pos.set(w.fact("lit_0"))
	}
	for k := range 2 {
		w.op(named("lamp", k, "on"), "", named("lit", k))
		w.op(named("lamp", k, "off"), "", named("!lit", k))
	}
	return w
}

// Paint is an arm that moves objects, paints the first two of them, each once, and takes them away
// for good.
func Paint(objects, places int) *World {
	w := Moves(objects, places)
	for i := range w.Operators {
		w.Operators[i].Neg.set(w.fact(named("gone", i/places)))
	}
	colours := []string{"red", "yellow", "white"}
	for o := range 2 {
		pre := named("!gone", o)
		for _, c := range colours {
			pre += "," + named("!painted", o, c)
		}
		for _, c := range colours {
			w.op(named("paint", o, c), pre, named("painted", o, c))
		}
	}
	for o := range objects {
		effect := named("gone", o) + "," + none(places, fmt.Sprintf("at_%d_%%d", o))
		for _, c := range colours {
			effect += "," + named("!painted", o, c) // which nobody sees
		}
		w.op(named("remove", o), named("!gone", o), effect)
	}
	return w
}
