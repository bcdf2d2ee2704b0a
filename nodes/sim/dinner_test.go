package sim_test

import (
	"strings"
	"testing"

	"stripswm/models/strips"
	"stripswm/nodes/sim"
)

func TestDinnerSizes(t *testing.T) {
	for _, c := range []struct {
		name            string
		states, actions int
	}{{"dinnertable", 6720, 70}, {"dinnertablereal", 4440, 64}} {
		w := world(t, c.name)
		if w.NumStates() != c.states || w.NumActions() != c.actions {
			t.Errorf("%s: %d states and %d actions, not %d and %d", c.name, w.NumStates(), w.NumActions(),
				c.states, c.actions)
		}
		if reached := len(sim.GroundTruth(w).States()); reached != c.states {
			t.Errorf("%s: %d of %d states can be reached", c.name, reached, c.states)
		}
	}
}

// pick(o,p) = 1 + 7o + p and place(o,p) = 36 + 7o + p.
func TestDinnerTableActionIDs(t *testing.T) {
	w := world(t, "dinnertable")
	objects := []string{"mug", "glass", "fork", "knife", "spoon"}
	for o, object := range objects {
		for p := range 7 {
			place := string(rune('0' + p))
			pick := strips.ActionID(1 + 7*o + p)
			if got := w.ActionName(pick); got != "pick_"+object+"_"+place {
				t.Errorf("action %d is %s", pick, got)
			}
			if got := w.ActionName(pick + 35); got != "place_"+object+"_"+place {
				t.Errorf("action %d is %s", pick+35, got)
			}
		}
	}
}

func TestDinnerTableRules(t *testing.T) {
	w := world(t, "dinnertable")
	s := w.Initial()
	if got := w.Describe(
		s); got != "mug back left, glass back right, fork front left, knife front right, spoon front "+
		"far right" {
		t.Fatalf("the table is set with %s", got)
	}
	try := func(name string, want bool) {
		t.Helper()
		for a := strips.ActionID(1); int(a) <= w.NumActions(); a++ {
			if w.ActionName(a) != name {
				continue
			}
			next, ok := w.Apply(s, a)
			if ok != want {
				t.Errorf("%s in %q: %v", name, w.Describe(s), ok)
			}
			s = next
			return
		}
		t.Errorf("no action %s", name)
	}
	try("place_mug_1", false) // the gripper is empty
	try("pick_mug_1", false)  // the mug is elsewhere
	try("pick_mug_0", true)
	try("pick_fork_4", false) // the gripper is full
	try("place_mug_2", false) // the glass is there
	try("place_fork_1", false)
	try("place_mug_1", true)
	if !strings.HasPrefix(w.Describe(s), "mug back middle") {
		t.Errorf("after all: %s", w.Describe(s))
	}
}
