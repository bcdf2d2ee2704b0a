package sim_test

import (
	"slices"
	"testing"

	"stripswm/models/strips"
	"stripswm/nodes/sim"
)

func stateDependent(t testing.TB, name string) *sim.World {
	t.Helper()
	w, err := sim.NewSkilled(name, sim.StateDependent)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// A state-dependent skill does what its fixed actions do; never do two of them apply.
func TestCoarseSkills(t *testing.T) {
	for name, actions := range map[string]int{"blocksworld": 6, "dinnertable": 14,
		"DinnerTable-Real": 14, "keydoor": 5, "sliding-puzzle": 5} {
		fixed, w := world(t, name), stateDependent(t, name)
		if w.NumActions() != actions || w.Dataset().Actions != actions ||
			w.NumStates() != fixed.NumStates() || w.Name() != fixed.Name()+"coarse" {
			t.Errorf("%s: %d actions, %+v", w.Name(), w.NumActions(), w.Dataset())
		}
		for s := range sim.State(min(fixed.NumStates(), 2000)) {
			want, got := map[sim.State]int{}, map[sim.State]int{}
			for a := strips.ActionID(1); int(a) <= fixed.NumActions(); a++ {
				if to, ok := fixed.Apply(s, a); ok {
					want[to]++
				}
			}
			for a := strips.ActionID(1); int(a) <= w.NumActions(); a++ {
				if to, ok := w.Apply(s, a); ok {
					got[to]++
				}
			}
			if len(want) != len(got) {
				t.Fatalf("%s, state %d: %v, the fixed actions lead to %v", w.Name(), s, got, want)
			}
			for to, n := range want {
				if n != 1 || got[to] != 1 {
					t.Fatalf("%s, state %d: %v, the fixed actions lead to %v", w.Name(), s, got, want)
				}
			}
		}
	}
}

func TestCoarseSkillsByName(t *testing.T) {
	try := func(w *sim.World, s sim.State, name, want string) sim.State {
		t.Helper()
		for a := strips.ActionID(1); int(a) <= w.NumActions(); a++ {
			if w.ActionName(a) == name {
				next, _ := w.Apply(s, a)
				if got := w.Describe(next); got != want {
					t.Errorf("%s leads to %q, not %q", name, got, want)
				}
				return next
			}
		}
		t.Errorf("no action %s", name)
		return s
	}
	b := stateDependent(t, "blocksworld")
	s := try(b, b.Initial(), "pick_0", "blocks in regions 0, 1, 2: 2, 0, 0; gripper holds a block")
	s = try(b, s, "place_2", "blocks in regions 0, 1, 2: 2, 0, 1; gripper empty")
	try(b, s, "pick_1", "blocks in regions 0, 1, 2: 2, 0, 1; gripper empty")
	d := stateDependent(t, "dinnertable")
	s = try(d, d.Initial(), "pick_4",
		"mug back left, glass back right, fork in the gripper, knife front right, spoon front far right")
	try(d, s, "place_1",
		"mug back left, glass back right, fork back middle, knife front right, spoon front far right")
	try(d, s, "place_0", d.Describe(s))
}

func TestCoarseSkillsExploreTheSameStates(t *testing.T) {
	for _, name := range []string{"blocksworld", "dinnertable", "dinnertablereal", "keydoor",
		"slidingpuzzle"} {
		for seed := range uint64(3) {
			fixed, g := explored(t, world(t, name), seed), explored(t, stateDependent(t, name), seed)
			if !slices.Equal(fixed.States(), g.States()) || len(fixed.Edges()) != len(g.Edges()) ||
				g.World().Name() != name+"coarse" {
				t.Errorf("%s, seed %d: %d states and %d edges, fixed %d and %d", name, seed, len(g.States()),
					len(g.Edges()), len(fixed.States()), len(fixed.Edges()))
			}
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
	} {
		if w, err := sim.NewSkilled(c.name, c.skills); err != nil || w.Name() != c.want {
			t.Errorf("%s, %q: %v, %v", c.name, c.skills, w, err)
		}
	}
	for _, c := range [][2]string{{"moon", sim.StateDependent}, {"blocksworld", "rough"},
		{"lamps", sim.StateDependent}} {
		if _, err := sim.NewSkilled(c[0], c[1]); err == nil {
			t.Errorf("%v: no error", c)
		}
	}
}
