package operators

// solution is a choice of columns, the model they make, and what is proved.
type solution struct {
	assembled
	columns []*column
	bounds  Bounds
	proved  Proved
}

// solution makes a model of columns, with constant ones added up to m.
func (p *Problem) solution(columns []*column, m int) *solution {
	columns = append([]*column(nil), columns...)
	for len(columns) < m {
		columns = append(columns, p.mustColumn(newBitset(p.states)))
	}
	return &solution{assembled: p.assemble(columns), columns: columns}
}

// better compares by xi, eta, number of predicates, effects and preconditions.
func (s *solution) better(t *solution) bool {
	a := []int{s.price, s.eta, len(s.columns), s.effects, s.preconditions}
	b := []int{t.price, t.eta, len(t.columns), t.effects, t.preconditions}
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

func (s *solution) xi() int { return len(s.model.Slack) }
