package sim_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"stripswm/models/strips"
	"stripswm/nodes/sim"
)

// Half of the 6! ways to lay the tiles: a slide keeps the parity of tiles and empty cell together.
func TestTileSizes(t *testing.T) {
	w, few := world(t, "slidingpuzzle"), world(t, "slidingpuzzlecoarse")
	if w.NumStates() != 360 || w.NumActions() != 70 || few.NumActions() != 5 {
		t.Errorf("%d states, %d and %d actions", w.NumStates(), w.NumActions(), few.NumActions())
	}
	// Four cells in a corner have two neighbours, two in the middle three.
	if edges := len(sim.GroundTruth(w).Edges()); edges != 360/6*(4*2+2*3) {
		t.Errorf("%d edges", edges)
	}
}

// A slide swaps one digit with the gap, in the same row or the same column, and slide_t_from_to
// says which.
func TestSlides(t *testing.T) {
	w := world(t, "slidingpuzzle")
	cells := func(s sim.State) string {
		return strings.NewReplacer(" ", "", "/",
			"").Replace(w.Describe(s))
	}
	rapid.Check(t, func(t *rapid.T) {
		s := sim.State(rapid.IntRange(0, w.NumStates()-1).Draw(t, "state"))
		a := strips.ActionID(rapid.IntRange(1, w.NumActions()).Draw(t, "action"))
		name := w.ActionName(a) // slide_t_from_to
		tile, from, to := name[6], int(name[8]-'0'), int(name[10]-'0')
		if sameRow := from/3 == to/3; sameRow && from-to != 1 && to-from != 1 || !sameRow &&
			from%3 != to%3 {
			t.Fatalf("%s is no step to a neighbour", name)
		}
		before := cells(s)
		next, ok := w.Apply(s, a)
		if fits := before[from] == tile && before[to] == '_'; ok != fits {
			t.Fatalf("%s in %s: %v", name, before, ok)
		}
		if !ok {
			return
		}
		want := []byte(before)
		want[from], want[to] = '_', tile
		if got := cells(next); got != string(want) {
			t.Fatalf("%s leads from %s to %s", name, before, got)
		}
	})
}

// A state-dependent skill slides its tile to and fro.
func TestCoarseSlidesUndoThemselves(t *testing.T) {
	w := world(t, "slidingpuzzlecoarse")
	for s := range sim.State(w.NumStates()) {
		for a := strips.ActionID(1); int(a) <= w.NumActions(); a++ {
			if next, ok := w.Apply(s, a); ok {
				if back, ok := w.Apply(next, a); !ok || back != s {
					t.Fatalf("%s twice leads from %q to %q", w.ActionName(a), w.Describe(s), w.Describe(back))
				}
			}
		}
	}
}
