package roadmap

import "stripswm/internal/spread"

// Sample is at most so many of the points, evenly, and for each of all points the index of the
// chosen one that is nearest to it.
func (p Points) Sample(most int) (chosen Points, nearest []int) {
	indices := spread.Indices(p.Len(), most)
	nearest = make([]int, p.Len())
	for i := range nearest {
		nearest[i] = -1
	}
	for j, i := range indices {
		nearest[i] = j
	}
	chosen = p.Some(indices)
	for i, j := range nearest {
		if j < 0 {
			nearest[i] = chosen.Nearest(p.At(i))
		}
	}
	return chosen, nearest
}

// Spread gives every point the label of the chosen one that is nearest to it.
func Spread(labels, nearest []int) []int {
	all := make([]int, len(nearest))
	for i, j := range nearest {
		all[i] = labels[j]
	}
	return all
}

// Between are the steps between the chosen points that are nearest to theirs.
func Between(steps []Step, nearest []int) []Step {
	some := make([]Step, len(steps))
	for i, s := range steps {
		some[i] = Step{nearest[s.From], nearest[s.To], s.Action}
	}
	return some
}
