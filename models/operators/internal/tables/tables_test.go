package tables

import "testing"

func TestDinner(t *testing.T) {
	g := Dinner(0)
	if g.NumStates() != 6720 || len(g.Edges) != 25200 || g.NumActions() != 70 {
		t.Errorf("%d states, %d edges, %d actions", g.NumStates(), len(g.Edges), g.NumActions())
	}
	if n := len(g.Nondeterministic()); n > 0 {
		t.Errorf("%d nondeterministic pairs", n)
	}
	if n := Dinner(100).NumStates(); n != 100 {
		t.Errorf("%d states, want 100", n)
	}
}
