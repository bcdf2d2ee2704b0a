package sim

// whole is a world whose recording explores every state that its skills reach.
type whole struct{ World }

// Whole returns the world with a data set of all its states: Explored returns all states that its
// skills reach, a policy leaves no part of the world, and nothing is refused without a rule. The
// number of transitions stays that of the data set.
func Whole(w World) World {
	if _, ok := w.(whole); ok {
		return w
	}
	return whole{w}
}

func (w whole) Dataset() Dataset {
	d := w.World.Dataset()
	d.States = w.NumStates()
	return d
}
