package sim_test

import (
	"testing"

	"stripswm/models/strips"
	"stripswm/nodes/sim"
)

// With the door unlocked the robot is in any of 9 cells and the key in one of 7 or carried; locked,
// both are on one side: 5 cells and 4 places or the hand, or 4 cells and 3 places or the hand.
func TestKeydoorSizes(t *testing.T) {
	w, few := world(t, "keydoor"), world(t, "keydoorcoarse")
	if want := 9*8 + 5*5 + 4*4; w.NumStates() != want || w.NumActions() != 36 ||
		few.NumActions() != 5 {
		t.Errorf("%d states, not %d; %d and %d actions", w.NumStates(), want, w.NumActions(),
			few.NumActions())
	}
}

// follow runs actions by name and tells where they lead.
func follow(t *testing.T, w *sim.World, names ...string) string {
	t.Helper()
	s := w.Initial()
	for _, name := range names {
		done := false
		for a := strips.ActionID(1); int(a) <= w.NumActions() && !done; a++ {
			if w.ActionName(a) == name {
				if s, done = w.Apply(s, a); !done {
					return name + " is refused: " + w.Describe(s)
				}
			}
		}
		if !done {
			t.Fatalf("no action %s", name)
		}
	}
	return w.Describe(s)
}

func TestKeydoorRules(t *testing.T) {
	w, few := world(t, "keydoor"), world(t, "keydoorcoarse")
	for _, c := range []struct {
		world *sim.World
		names []string
		want  string
	}{
		{w, nil, "robot in cell 3, key in cell 1, door locked"},
		{w, []string{"move_3_4", "move_4_5"},
			"move_4_5 is refused: robot in cell 4, key in cell 1, door locked"},
		{w, []string{"move_3_4", "unlock_4"},
			"unlock_4 is refused: robot in cell 4, key in cell 1, door locked"},
		{w, []string{"pick_1"}, "pick_1 is refused: robot in cell 3, key in cell 1, door locked"},
		{w, []string{"move_3_0", "move_0_1", "pick_1", "move_1_4", "unlock_4", "move_4_5", "lock_5",
			"move_5_8", "drop_8"}, "robot in cell 8, key in cell 8, door locked"},
		{w, []string{"move_3_0", "move_0_1", "pick_1", "drop_1"},
			"robot in cell 1, key in cell 1, door locked"},
		{w, []string{"move_3_0", "move_0_1", "pick_1", "move_1_0", "unlock_4"},
			"unlock_4 is refused: robot in cell 0, key with the robot, door locked"},
		{w, []string{"move_3_0", "move_0_1", "pick_1", "move_1_4", "lock_4"},
			"lock_4 is refused: robot in cell 4, key with the robot, door locked"},
		{few, []string{"up", "right", "use", "down", "use", "right", "use", "down", "use"},
			"robot in cell 8, key in cell 8, door locked"},
		{few, []string{"use"}, "use is refused: robot in cell 3, key in cell 1, door locked"},
		{few, []string{"up", "right", "right"},
			"right is refused: robot in cell 1, key in cell 1, door locked"},
		{few, []string{"right", "down", "right"},
			"right is refused: robot in cell 7, key in cell 1, door locked"},
	} {
		if got := follow(t, c.world, c.names...); got != c.want {
			t.Errorf("%v: %s, want %s", c.names, got, c.want)
		}
	}
}
