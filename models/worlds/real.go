package worlds

// RealTable is the table of the simulator's Real-like world: five objects, seven places and 64
// skills, since three pairs of an object and a place are out of reach. 4,440 states.
func RealTable() *World {
	w := Table(5, 7)
	w.Name = "real_table"
	without := map[string]bool{}
	for _, pair := range [][2]int{{0, 1}, {1, 3}, {1, 6}} {
		without[named("pick", pair[0], pair[1])] = true
		without[named("place", pair[0], pair[1])] = true
	}
	var kept []Operator
	for _, o := range w.Operators {
		if !without[o.Name] {
			kept = append(kept, o)
		}
	}
	w.Operators = kept
	return w
}
