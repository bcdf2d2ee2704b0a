package columns

import "stripswm/models/operators/internal/bitset"

// Solution is a choice of columns, the model they make, and what is proved.
type Solution struct {
	assembled
	columns []*column
	Bounds  Bounds
	Proved  Proved
}

// Proved says which of the figures are proved to be optimal.
type Proved struct{ Xi, Eta, Predicates, Effects, Preconditions bool }

// Bounds are lower bounds on the figures: each is a bound given the figures
// before it in the order xi, eta, predicates, effects, preconditions.
type Bounds struct{ Xi, Eta, Predicates, Effects, Preconditions int }

// solution makes a model of columns, with constant ones added up to m.
func (p *Problem) solution(columns []*column, m int) *Solution {
	columns = append([]*column(nil), columns...)
	for len(columns) < m {
		columns = append(columns, p.mustColumn(bitset.New(p.states)))
	}
	return &Solution{assembled: p.assemble(columns), columns: columns}
}

// better compares by xi, eta, number of predicates, effects and preconditions.
func (s *Solution) better(t *Solution) bool {
	a := []int{s.price, s.Eta, len(s.columns), s.Effects, s.Preconditions}
	b := []int{t.price, t.Eta, len(t.columns), t.Effects, t.Preconditions}
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}
