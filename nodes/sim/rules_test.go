package sim_test

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"stripswm/models/strips"
	"stripswm/nodes/sim"
)

var update = flag.Bool("update", false, "write testdata/worlds.sum")

// A recording of a seed has the same bytes only while names, ids, states and what policies draw are
// the same: testdata/worlds.sum has their sum for each world.
func TestWorldsStayTheSame(t *testing.T) {
	var sums strings.Builder
	for _, name := range sim.Names() {
		w, h := world(t, name), sha256.New()
		fmt.Fprintln(h, sim.ActionNames(w), w.Initial(), w.Dataset())
		for s := range sim.State(w.NumStates()) {
			fmt.Fprintln(h, w.Describe(s))
			for a := range strips.ActionID(w.NumActions()) {
				next, ok := w.Apply(s, a+1)
				fmt.Fprintln(h, next, ok)
			}
		}
		for i, policy := range sim.Policies() {
			for _, w := range []*sim.World{w, sim.Whole(w)} {
				steps, err := sim.RunPolicy(w, policy, uint64(i), 500,
					sim.Faults{Resets: 0.1, Failures: 0.1})
				if err != nil {
					t.Fatal(err)
				}
				for s := range steps {
					fmt.Fprintln(h, s)
				}
			}
		}
		fmt.Fprintf(&sums, "%s %x\n", name, h.Sum(nil))
	}
	const file = "testdata/worlds.sum"
	if *update {
		if err := os.WriteFile(file, []byte(sums.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != sums.String() {
		t.Errorf("worlds are others than in %s: %v\n%s", file, err, sums.String())
	}
}

// The sizes follow from counting; state-dependent skills leave the states as they are.
func TestSizes(t *testing.T) {
	for name, want := range map[string][2]int{
		"blocksworld": {16, 18}, "blocksworldcoarse": {16, 6},
		"boxstacking": {288, 48}, // of four boxes in nine cells (Lippi et al.)
		"lamps":       {1 << 6, 6},
		// 6!/2: a slide keeps the parity of tiles and empty cell together
		"slidingpuzzle": {360, 70}, "slidingpuzzlecoarse": {360, 5},
		// The door unlocked: the robot in any of 9 cells, the key in one of 7 or carried; locked: both on
		// one side.
		"keydoor": {9*8 + 5*5 + 4*4, 36}, "keydoorcoarse": {9*8 + 5*5 + 4*4, 5},
		"depot":       {5 * 5 * 7 * 7 * 7, 100},
		"kitchen":     {8 * (5*5*5*5 + 4*5*5*5), 46},
		"dinnertable": {6720, 70}, "dinnertablecoarse": {6720, 14},
		"dinnertablereal": {4440, 64}, "dinnertablerealcoarse": {4440, 14},
		"moves": {2520, 35}, "movesreal": {2520, 35}, "picks": {6720, 40}, "picksreal": {6720, 40},
		"lamp": {2 * 1680, 57}, "sweep": {1680, 57}, "lids": {8 * 1680, 59}, "switches": {4 * 1680, 60},
		"paint": {4032 + 392 + 8, 30},
	} {
		w := world(t, name)
		if got := [2]int{w.NumStates(), w.NumActions()}; got != want {
			t.Errorf("%s: %v states and actions, want %v", name, got, want)
		}
		all := sim.Whole(w)
		if n := len(explored(t, all, 1).States()); n != want[0] || sim.Whole(all) != all ||
			all.Name() != name || sim.Table(sim.Table(all)) != sim.Table(all) {
			t.Errorf("%s: of the whole world %d states are explored", name, n)
		}
	}
}

// Each line is a skill, and what the world says after it; nothing where it is refused.
func TestRules(t *testing.T) {
	const four = "mug back left, glass back right, fork front left, knife front right"
	type step struct{ skill, then string }
	for name, steps := range map[string][]step{
		"blocksworldcoarse": {
			{"pick_0", "blocks in regions 0, 1, 2: 2, 0, 0; gripper holds a block"},
			{"pick_0", ""}, // the gripper is full
			{"place_2", "blocks in regions 0, 1, 2: 2, 0, 1; gripper empty"},
			{"pick_1", ""}, // nothing is there
		},
		"boxstacking": {
			{"move_1_4", ""}, // a box lies on it
			{"move_3_7", ""}, // it would float
			{"move_2_4", "[12] [43] []"},
			{"move_1_6", "[1] [43] [2]"},
			{"move_4_1", "[13] [4] [2]"},
		},
		"slidingpuzzle": {
			{"slide_4_3_4", ""}, // a tile is there
			{"slide_4_4_5", ""}, // it is elsewhere
			{"slide_5_4_5", "1 2 3 / 4 _ 5"},
			{"slide_2_1_4", "1 _ 3 / 4 2 5"},
		},
		"slidingpuzzlecoarse": {
			{"slide_1", ""},
			{"slide_3", "1 2 _ / 4 5 3"},
			{"slide_3", "1 2 3 / 4 5 _"},
		},
		"lamps": {
			{"press_1", "lamps on: 1, 2"},
			{"press_3", "lamps on: 1, 3, 4"},
			{"press_6", "lamps on: 1, 3, 4, 5, 6"},
			{"press_3", "lamps on: 1, 2, 5, 6"},
		},
		"keydoor": {
			{"pick_1", ""}, // the robot is elsewhere
			{"move_3_4", "robot in cell 4, key in cell 1, door locked"},
			{"move_4_5", ""},
			{"unlock_4", ""},
			{"move_4_1", "robot in cell 1, key in cell 1, door locked"},
			{"pick_1", "robot in cell 1, key with the robot, door locked"},
			{"drop_1", "robot in cell 1, key in cell 1, door locked"},
			{"pick_1", "robot in cell 1, key with the robot, door locked"},
			{"unlock_4", ""}, // not at the door
			{"move_1_4", "robot in cell 4, key with the robot, door locked"},
			{"lock_4", ""}, // it is
			{"unlock_4", "robot in cell 4, key with the robot, door unlocked"},
			{"move_4_5", "robot in cell 5, key with the robot, door unlocked"},
			{"lock_5", "robot in cell 5, key with the robot, door locked"},
		},
		"keydoorcoarse": {
			{"use", ""},
			{"up", "robot in cell 0, key in cell 1, door locked"},
			{"right", "robot in cell 1, key in cell 1, door locked"},
			{"right", ""}, // a wall
			{"use", "robot in cell 1, key with the robot, door locked"},
			{"down", "robot in cell 4, key with the robot, door locked"},
			{"right", ""}, // the door
			{"use", "robot in cell 4, key with the robot, door unlocked"},
		},
		"depot": {
			{"load_0_0_1", ""}, // the truck is elsewhere
			{"drive_0_0_1", "truck 0 at site 1, truck 1 at site 3, parcel 0 at site 1, " +
				"parcel 1 at site 2, parcel 2 at site 4"},
			{"load_1_0_1", ""}, // the parcel is elsewhere
			{"load_0_0_1", "truck 0 at site 1, truck 1 at site 3, parcel 0 in truck 0, " +
				"parcel 1 at site 2, parcel 2 at site 4"},
			{"unload_0_1_3", ""}, // it is in the other truck
		},
		"kitchen": {
			{"take_cup_0", ""}, // the cabinet is closed
			{"open_0", "cup in cabinet 0, plate in cabinet 1, bottle on worktop 3, box on worktop 4, " +
				"cabinet 0 open, cabinet 1 closed, cabinet 2 closed"},
			{"open_0", ""},
			{"take_cup_0", "cup in hand, plate in cabinet 1, bottle on worktop 3, box on worktop 4, " +
				"cabinet 0 open, cabinet 1 closed, cabinet 2 closed"},
			{"close_0", ""},     // the hand is full
			{"put_cup_1", ""},   // closed
			{"put_plate_3", ""}, // not in hand
			{"put_cup_3", "cup on worktop 3, plate in cabinet 1, bottle on worktop 3, box on worktop 4, " +
				"cabinet 0 open, cabinet 1 closed, cabinet 2 closed"},
		},
		"dinnertable": {
			{"place_mug_1", ""}, // the gripper is empty
			{"pick_mug_1", ""},  // the mug is elsewhere
			{"pick_mug_0", "mug in the gripper, glass back right, fork front left, knife front right, " +
				"spoon front far right"},
			{"pick_fork_4", ""}, // the gripper is full
			{"place_mug_2", ""}, // the glass is there
			{"place_fork_1", ""},
			{"place_mug_1", "mug back middle, glass back right, fork front left, knife front right, " +
				"spoon front far right"},
		},
		"dinnertablecoarse": {
			{"pick_4", "mug back left, glass back right, fork in the gripper, knife front right, " +
				"spoon front far right"},
			{"place_0", ""},
			{"place_1", "mug back left, glass back right, fork back middle, knife front right, " +
				"spoon front far right"},
		},
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
		"lamp":  {{"flip_lamp", four + ", lamp 0 on"}, {"flip_lamp", four + ", lamp 0 off"}},
		"sweep": {{"sweep", "mug back middle" + four[len("mug back left"):]}, {"sweep", ""}},
		"lids":  {{"open_1", four + ", lid 0 closed, lid 1 open, lid 2 closed"}, {"open_1", ""}},
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
			{"lamp_1_on", four + ", lamp 0 off, lamp 1 on"},
			{"pick_mug_0", ""}, // the other lamp does not help
			{"lamp_0_on", four + ", lamp 0 on, lamp 1 on"},
			{"lamp_0_on", four + ", lamp 0 on, lamp 1 on"},
			{"pick_mug_0", "mug in the gripper" + four[len("mug back left"):] + ", lamp 0 on, lamp 1 on"},
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
			if ids[k.skill] == 0 || ok != (k.then != "") || ok && w.Describe(next) != k.then {
				t.Errorf("%s: %s leads to %q (%v), want %q", name, k.skill, w.Describe(next), ok, k.then)
			}
			s = next
		}
	}
}

// A state-dependent skill does what its fixed actions do; never do two of them apply. The same
// states are explored.
func TestStateDependentSkills(t *testing.T) {
	for _, name := range []string{"blocksworld", "dinnertable", "DinnerTable-Real", "keydoor",
		"sliding-puzzle"} {
		fixed := world(t, name)
		w, err := sim.NewSkilled(name, sim.StateDependent)
		if err != nil || w.Name() != fixed.Name()+"coarse" || w.Dataset().Actions != w.NumActions() {
			t.Fatalf("%s: %v, %+v", name, err, w.Dataset())
		}
		for s := range sim.State(min(fixed.NumStates(), 2000)) {
			led := map[sim.State][2]int{}
			for i, w := range []*sim.World{fixed, w} {
				for a := range strips.ActionID(w.NumActions()) {
					if to, ok := w.Apply(s, a+1); ok {
						n := led[to]
						n[i]++
						led[to] = n
					}
				}
			}
			for to, n := range led {
				if n != [2]int{1, 1} {
					t.Fatalf("%s, state %d: %d fixed skills and %d lead to %d", name, s, n[0], n[1], to)
				}
			}
		}
		a, b := explored(t, fixed, 2), explored(t, w, 2)
		if fmt.Sprint(a.States()) != fmt.Sprint(b.States()) || len(a.Edges()) != len(b.Edges()) {
			t.Errorf("%s: state-dependent skills explore other states", name)
		}
	}
}

func TestNewSkilled(t *testing.T) {
	for _, c := range []struct{ name, skills, want string }{
		{"blocksworld", "", "blocksworld"},
		{"blocksworld", sim.Fixed, "blocksworld"},
		{"blocksworld", sim.StateDependent, "blocksworldcoarse"},
		{"BlocksWorld-coarse", "", "blocksworldcoarse"},
		{"blocksworldcoarse", sim.StateDependent, "blocksworldcoarse"},
		{"blocksworldcoarse", sim.Fixed, "blocksworld"},
		{"lamps", sim.Fixed, "lamps"},
		{"moon", sim.StateDependent, ""}, {"blocksworld", "rough", ""}, {"lamps", sim.StateDependent, ""},
	} {
		w, err := sim.NewSkilled(c.name, c.skills)
		if (err != nil) != (c.want == "") || err == nil && w.Name() != c.want {
			t.Errorf("%s, %q: %v", c.name, c.skills, err)
		}
	}
}
