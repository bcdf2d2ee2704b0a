package sim

// whole is a world whose recording explores every state that its skills reach.
type whole struct{ World }

// Whole returns the world with a data set of all its states: Explored returns all states that its
// skills reach, a policy leaves no part of the world, and nothing is refused without a rule. The
// number of transitions stays that of the data set.
func Whole(w World) World {
	if IsWhole(w) {
		return w
	}
	return whole{w}
}

// IsWhole says whether Whole made the world.
func IsWhole(w World) bool {
	_, ok := w.(whole)
	return ok
}

func (w whole) Dataset() Dataset {
	d := w.World.Dataset()
	d.States = w.NumStates()
	return d
}
