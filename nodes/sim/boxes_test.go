package sim_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"stripswm/models/strips"
	"stripswm/nodes/sim"
)

// The paper counts 288 arrangements of four boxes in a grid of nine cells.
func TestBoxStackingSizes(t *testing.T) {
	w := world(t, "boxstacking")
	if w.NumStates() != 288 {
		t.Errorf("%d states", w.NumStates())
	}
	if g, err := sim.Explored(w, 1); err != nil || len(g.Actions()) != w.Dataset().Actions {
		t.Errorf("%d actions occur, %v", len(g.Actions()), err)
	}
}

// A move takes the upper box of one column to the top of another, and the move back undoes it.
func TestBoxMoves(t *testing.T) {
	w := world(t, "boxstacking")
	columns := func(s sim.State) []string {
		return strings.Fields(strings.NewReplacer("[", "", "]", "_").Replace(w.Describe(s)))
	}
	rapid.Check(t, func(t *rapid.T) {
		s := sim.State(rapid.IntRange(0, w.NumStates()-1).Draw(t, "state"))
		a := strips.ActionID(rapid.IntRange(1, w.NumActions()).Draw(t, "action"))
		name := w.ActionName(a) // move_from_to
		from, to := int(name[5]-'0'), int(name[7]-'0')
		before := columns(s)
		source, target := strings.TrimSuffix(before[from/3], "_"), strings.TrimSuffix(before[to/3], "_")
		next, ok := w.Apply(s, a)
		if fits := from/3 != to/3 && len(source) == from%3+1 && len(target) == to%3; ok != fits {
			t.Fatalf("%s in %v: %v", name, before, ok)
		}
		if !ok {
			return
		}
		after := columns(next)
		if want := target + source[len(source)-1:] + "_"; after[to/3] != want {
			t.Fatalf("%s leads from %v to %v", name, before, after)
		}
		undone := false
		for b := strips.ActionID(1); int(b) <= w.NumActions(); b++ {
			back, ok := w.Apply(next, b)
			undone = undone || ok && back == s
		}
		if !undone {
			t.Fatalf("nothing undoes %s in %v", name, before)
		}
	})
}
