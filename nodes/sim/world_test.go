package sim_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"stripswm/models/strips"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/scene"
)

func world(t testing.TB, name string) *sim.World {
	t.Helper()
	w, err := sim.New(name)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func anyWorld(t *rapid.T) *sim.World {
	w, err := sim.New(rapid.SampledFrom(sim.Names()).Draw(t, "world"))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestNewKnowsItsWorlds(t *testing.T) {
	for _, name := range sim.Names() {
		if got := world(t, name).Name(); got != name {
			t.Errorf("New(%q) is called %q", name, got)
		}
	}
	if w := world(t, "Blocks-World"); w.Name() != "blocksworld" {
		t.Errorf("Blocks-World is %s", w.Name())
	}
	_, err := sim.New("atlantis")
	if err == nil || !strings.Contains(err.Error(), "blocksworld") ||
		!strings.Contains(err.Error(), "atlantis") {
		t.Errorf("error %v: want the unknown name and the known ones", err)
	}
}

// oneWay are the worlds with skills that no skill undoes, or that may change nothing.
var oneWay = []string{"sweep", "lids", "switches", "paint"}

// Any action, known or not, in any state, known or not: refused leaves the state, accepted leads to
// a valid one and, but for some worlds, to another one, from which some action leads back.
func TestApply(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := anyWorld(t)
		s := sim.State(rapid.IntRange(-2, w.NumStates()+1).Draw(t, "state"))
		a := strips.ActionID(rapid.IntRange(-2, w.NumActions()+2).Draw(t, "action"))
		next, ok := w.Apply(s, a)
		if !ok {
			if next != s {
				t.Fatalf("refused action %d changed state %d to %d", a, s, next)
			}
			return
		}
		if next < 0 || int(next) >= w.NumStates() {
			t.Fatalf("action %d in state %d leads to %d", a, s, next)
		}
		if slices.Contains(oneWay, w.Name()) {
			return
		}
		if next == s {
			t.Fatalf("action %d changes nothing in state %d", a, s)
		}
		for back := strips.ActionID(1); int(back) <= w.NumActions(); back++ {
			if to, ok := w.Apply(next, back); ok && to == s {
				return
			}
		}
		t.Fatalf("no action undoes %s in state %s", w.ActionName(a), w.Describe(s))
	})
}

func TestNamesAndDescriptionsAreDistinct(t *testing.T) {
	for _, name := range sim.Names() {
		w := world(t, name)
		seen := map[string]bool{}
		for a := strips.ActionID(1); int(a) <= w.NumActions(); a++ {
			seen[w.ActionName(a)] = true
		}
		if len(seen) != w.NumActions() {
			t.Errorf("%s: %d names for %d actions", name, len(seen), w.NumActions())
		}
		clear(seen)
		for s := range sim.State(w.NumStates()) {
			seen[w.Describe(s)] = true
		}
		if len(seen) != w.NumStates() {
			t.Errorf("%s: %d descriptions for %d states", name, len(seen), w.NumStates())
		}
	}
}

func TestSceneOfUnknownState(t *testing.T) {
	for _, name := range sim.Names() {
		w := world(t, name)
		for _, s := range []sim.State{-1, sim.State(w.NumStates())} {
			if _, err := w.Scene(s, scene.NewJitter(1, 1)); err == nil {
				t.Errorf("%s: no error for state %d", name, s)
			}
		}
	}
}
