package roadmap

import (
	"fmt"

	"stripswm/internal/spread"
)

// Points are latent vectors.
type Points struct {
	Dims   int
	values []float32
}

// NewPoints takes vectors of dims numbers, one after the other.
func NewPoints(dims int, values []float32) (Points, error) {
	if dims < 1 || len(values)%dims != 0 {
		return Points{}, fmt.Errorf("roadmap: %d numbers are not vectors of %d", len(values), dims)
	}
	return Points{dims, values}, nil
}

// Len is the number of points.
func (p Points) Len() int { return len(p.values) / p.Dims }

// At is point i.
func (p Points) At(i int) []float32 { return p.values[i*p.Dims : (i+1)*p.Dims] }

// Some are the points of those indices, copied.
func (p Points) Some(indices []int) Points {
	some := Points{p.Dims, make([]float32, 0, len(indices)*p.Dims)}
	for _, i := range indices {
		some.values = append(some.values, p.At(i)...)
	}
	return some
}

// Nearest is the point that is nearest to a vector, the first of equals; -1 where there is none.
func (p Points) Nearest(to []float32) int {
	best, least := -1, float32(0)
	for i := range p.Len() {
		if d := distance(p.At(i), to); best < 0 || d < least {
			best, least = i, d
		}
	}
	return best
}

// distance is L1, the metric that did best in the paper.
func distance(a, b []float32) float32 {
	var sum float32
	for i, v := range a {
		d := v - b[i]
		if d < 0 {
			d = -d
		}
		sum += d
	}
	return sum
}

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
