package sim_test

import (
	"testing"

	"stripswm/nodes/sim"
)

func TestWholeExploresAllStates(t *testing.T) {
	for name, states := range map[string]int{
		"dinnertable": 6720, "dinnertablecoarse": 6720, "dinnertablereal": 4440, "keydoor": 113,
	} {
		w := sim.Whole(world(t, name))
		g, err := sim.Explored(w, 1)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(g.States()); n != states {
			t.Errorf("%s: %d states are explored, want %d", name, n, states)
		}
		if w.Name() != name || sim.Whole(w) != w || sim.Table(sim.Table(w)) != sim.Table(w) {
			t.Errorf("%s: the whole world is another", name)
		}
	}
}

// Every refused attempt is one that the world refuses, and every other one applies.
func TestWholeRefusesByItsRules(t *testing.T) {
	w := sim.Whole(world(t, "dinnertable"))
	steps, err := sim.RunPolicy(w, sim.Uniform, 1, 500)
	if err != nil {
		t.Fatal(err)
	}
	states, refused := map[sim.State]bool{}, 0
	for s := range steps {
		next, ok := w.Apply(s.State, s.Action)
		if ok != s.OK || next != s.Next {
			t.Fatalf("step %+v: the world leads to %d, %t", s, next, ok)
		}
		states[s.Next] = true
		if !ok {
			refused++
		}
	}
	if len(states) < 200 || refused < 30 || refused > 90 {
		t.Errorf("%d states, %d refused attempts", len(states), refused)
	}
}
