package main

import (
	"fmt"
	"testing"

	"stripswm/models/operators"
	"stripswm/models/operators/check"
)

func TestDinnerTable(t *testing.T) {
	g := dinnerTable(0)
	if g.NumStates() != 6720 || len(g.Edges) != 25200 || g.NumActions() != 70 {
		t.Errorf("%d states, %d edges, %d actions", g.NumStates(), len(g.Edges), g.NumActions())
	}
	if n := len(g.Nondeterministic()); n > 0 {
		t.Errorf("%d nondeterministic pairs", n)
	}
	if n := dinnerTable(100).NumStates(); n != 100 {
		t.Errorf("%d states, want 100", n)
	}
}

// The whole DinnerTable has 445,200 separation constraints.
func TestLearnsTheWholeDinnerTable(t *testing.T) {
	g := dinnerTable(0)
	r, err := operators.Learn(t.Context(), g, operators.Options{Work: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, faults := check.Model(g, check.AllMissing(g), r.Model); len(faults) > 0 {
		t.Error(faults[0])
	}
	if s := r.Report; s.Eta != 0 || s.SeparationConstraints != 445200 || s.DistinctCodes != 6720 ||
		!s.Proved.Eta {
		t.Errorf("%+v", s)
	}
}

func BenchmarkProvedEta(b *testing.B) {
	for _, states := range []int{100, 300, 1000, 3000, 6720} {
		g := dinnerTable(states)
		b.Run(fmt.Sprint(states), func(b *testing.B) {
			for b.Loop() {
				if _, err := operators.LeastEta(b.Context(), g, operators.Trust{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
