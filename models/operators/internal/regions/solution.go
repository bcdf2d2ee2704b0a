package regions

import "stripswm/models/internal/bitset"

// Solution is a choice of regions, the model they make, and what is proved.
type Solution struct {
	assembled
	regions []*region
	Bounds  Bounds
	Proved  Proved
}

// Proved says which of the figures are proved to be optimal.
type Proved struct{ Xi, Eta, Predicates, Effects, Preconditions bool }

// Bounds are lower bounds on the figures: each is a bound given the figures
// before it in the order xi, eta, predicates, effects, preconditions.
type Bounds struct{ Xi, Eta, Predicates, Effects, Preconditions int }

// solution makes a model of regions, with constant ones added up to m.
func (p *Problem) solution(regions []*region, m int) *Solution {
	regions = append([]*region(nil), regions...)
	for len(regions) < m {
		regions = append(regions, p.mustRegion(bitset.New(p.states)))
	}
	return &Solution{assembled: p.assemble(regions), regions: regions}
}

// better compares by xi, eta, number of predicates, effects and preconditions.
func (s *Solution) better(t *Solution) bool {
	a := []int{s.price, s.Eta, len(s.regions), s.Effects, s.Preconditions}
	b := []int{t.price, t.Eta, len(t.regions), t.Effects, t.Preconditions}
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}
