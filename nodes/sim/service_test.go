package sim_test

import (
	"testing"

	"stripswm/models/strips"
	"stripswm/nodes/sim"
)

func TestServiceSizes(t *testing.T) {
	for name, want := range map[string][2]int{
		"moves": {2520, 35}, "movesreal": {2520, 35}, "picks": {6720, 40}, "picksreal": {6720, 40},
		"lamp": {2 * 1680, 57}, "sweep": {1680, 57}, "lids": {8 * 1680, 59}, "switches": {4 * 1680, 60},
		"paint": {4032 + 392 + 8, 30},
	} {
		w := world(t, name)
		if got := [2]int{w.NumStates(), w.NumActions()}; got != want {
			t.Errorf("%s: %v states and actions, want %v", name, got, want)
		}
	}
}

// Each line is a skill, and what the world says after it; nothing where it is refused.
func TestServiceRules(t *testing.T) {
	const start = "mug back left, glass back right, fork front left, knife front right"
	type step struct{ skill, then string }
	for name, steps := range map[string][]step{
		"moves": {
			{"move_mug_2", ""}, // the glass is there
			{"move_mug_0", ""}, // the mug itself is
			{"move_mug_1", "mug back middle, glass back right, fork front left, knife front right, " +
				"spoon front far right"},
		},
		"picks": {
			{"place_mug_1", ""}, // the gripper is empty
			{"pick_mug", "mug in the gripper, glass back right, fork front left, knife front right, " +
				"spoon front far right"},
			{"pick_mug", ""},
			{"pick_fork", ""},
			{"place_mug_2", ""},
			{"place_mug_1", "mug back middle, glass back right, fork front left, knife front right, " +
				"spoon front far right"},
		},
		"lamp": {
			{"flip_lamp", start + ", lamp 0 on"},
			{"flip_lamp", start + ", lamp 0 off"},
		},
		"sweep": {
			{"sweep", "mug back middle, glass back right, fork front left, knife front right"},
			{"sweep", ""},
		},
		"lids": {
			{"open_1", start + ", lid 0 closed, lid 1 open, lid 2 closed"},
			{"open_1", ""},
		},
		"paint": {
			{"paint_mug_red", "mug back left, glass back right, fork front left, mug red"},
			{"paint_mug_white", ""}, // it is painted
			{"move_mug_1", "mug back middle, glass back right, fork front left, mug red"},
			{"remove_mug", "glass back right, fork front left"},
			{"move_mug_0", ""}, // it is away
			{"paint_mug_red", ""},
		},
		"switches": {
			{"pick_mug_0", ""}, // it is dark
			{"lamp_1_on", start + ", lamp 0 off, lamp 1 on"},
			{"pick_mug_0", ""}, // the other lamp does not help
			{"lamp_0_on", start + ", lamp 0 on, lamp 1 on"},
			{"lamp_0_on", start + ", lamp 0 on, lamp 1 on"},
			{"pick_mug_0", "mug in the gripper, glass back right, fork front left, knife front right, " +
				"lamp 0 on, lamp 1 on"},
		},
	} {
		w := world(t, name)
		ids := map[string]strips.ActionID{}
		for i, skill := range sim.ActionNames(w) {
			ids[skill] = strips.ActionID(i + 1)
		}
		s := w.Initial()
		for _, k := range steps {
			next, ok := w.Apply(s, ids[k.skill])
			if ok != (k.then != "") || ok && w.Describe(next) != k.then {
				t.Errorf("%s: %s leads to %q (%v), want %q", name, k.skill, w.Describe(next), ok, k.then)
			}
			s = next
		}
	}
}
