package baselines

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"stripswm/models/baselines/autoencoder"
	"stripswm/models/dataset"
	"stripswm/models/dataset/datasettest"
	"stripswm/models/inference"
	"stripswm/models/networks"
	"stripswm/models/planner"
	"stripswm/models/strips"
)

// lamps are three, each with a skill to switch it on and one to switch it off.
func lamps(seed uint64) datasettest.Lamps {
	w := datasettest.NewLamps(seed)
	w.Count = 3
	return w
}

// smallAMA3 is ama3Network for the lamps.
func smallAMA3(d *dataset.Dataset) autoencoder.Settings {
	a, cube := ama3Network, ama3Network.Latent.(autoencoder.CubeSpace)
	cube.Bits, cube.Actions = 8, d.Actions
	a.Backbone = networks.Isotropic{Size: 16, Patch: 4, Dim: 16, Depth: 1, Kernel: 3,
		Expand: 2, Reduced: 4, Hidden: 32}
	a.Decoder = autoencoder.Decoder{Size: 16, Patch: 4, Dim: 16, Depth: 1, Kernel: 3,
		Expand: 2, Hidden: 32}
	a.Latent, a.Steps = cube, 1500
	return a
}

// TestAMA3PlansFromImages learns the lamps, plans between all pairs of their states, and replays
// the plans in the world itself.
func TestAMA3PlansFromImages(t *testing.T) {
	w := lamps(1)
	d, _ := w.Transitions(400)
	learned, err := learnCubeSpace(t.Context(), d, smallAMA3(d), LearnOptions{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if s := learned.Summary.(AMA3Summary); s.Codes != 8 || s.Foreseen != s.Transitions ||
		s.Transitions != 400 {
		t.Errorf("learned: %+v", s)
	}
	b := kept(t, learned, w.Size)
	if all := In(b); len(all) != 1 || all[0].ID != "ama3" {
		t.Fatalf("the bundle has the baselines %v", all)
	}
	a := must(OpenAMA3(b, inference.Options{}))
	defer a.Close()
	solved := solvedPairs(t, w, a, 8)
	if solved != 64 {
		t.Errorf("%d of 64 plans lead to the goal", solved)
	}
	steps, found, err := a.Imagine(t.Context(), view(w, 0), view(w, 5))
	if err != nil || !found || len(steps) != 2 {
		t.Fatal(len(steps), found, err)
	}
	var light []bool
	for lamp := range 3 {
		light = append(light, steps[1].Image.Pix[(10*w.Size+3+5*lamp)*3] > 110)
	}
	if !slices.Equal(light, []bool{true, false, true}) {
		t.Errorf("after two switches it imagines %v", light)
	}
}

// TestAMA3SeparatesStates begins with a prior so heavy that every image has one code.
func TestAMA3SeparatesStates(t *testing.T) {
	d, _ := lamps(2).Transitions(100)
	a := smallAMA3(d)
	cube := a.Latent.(autoencoder.CubeSpace)
	cube.PriorShare = 2000
	a.Latent, a.Steps = cube, 300
	one, err := learnCubeSpace(t.Context(), d, a, LearnOptions{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	several, err := learnDistinct(t.Context(), d, a, LearnOptions{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if one, several := one.Summary.(AMA3Summary).Codes,
		several.Summary.(AMA3Summary).Codes; one != 1 || several < 2 {
		t.Errorf("%d codes, then %d: want one, then several", one, several)
	}
}

// made is a world of bits: what each action does to each as learned, and what was seen, which
// in one transition of four may be anything.
type made struct {
	effects     [][]autoencoder.Effect
	transitions []codedTransition
}

// apply is the effects by their letter.
func apply(effects []autoencoder.Effect, s strips.State) strips.State {
	bits := s.Bools()
	for i, e := range effects {
		bits[i] = e == autoencoder.Adds || e == autoencoder.Leaves && bits[i]
	}
	return strips.StateOf(bits)
}

var madeWorlds = rapid.Custom(func(t *rapid.T) made {
	bits, actions := rapid.IntRange(1, 6).Draw(t, "bits"), rapid.IntRange(1, 4).Draw(t, "actions")
	effect := rapid.Map(rapid.IntRange(0, 2),
		func(e int) autoencoder.Effect { return autoencoder.Effect(e) })
	var w made
	for range actions {
		w.effects = append(w.effects, rapid.SliceOfN(effect, bits, bits).Draw(t, "effects"))
	}
	for range rapid.IntRange(0, 12).Draw(t, "transitions") {
		a := rapid.IntRange(1, actions).Draw(t, "action")
		before := strips.StateOf(rapid.SliceOfN(rapid.Bool(), bits, bits).Draw(t, "before"))
		after := apply(w.effects[a-1], before)
		if rapid.IntRange(0, 3).Draw(t, "something else") == 0 {
			after = strips.StateOf(rapid.SliceOfN(rapid.Bool(), bits, bits).Draw(t, "after"))
		}
		w.transitions = append(w.transitions, codedTransition{before, after, strips.ActionID(a)})
	}
	return w
})

func (w made) model() *strips.Model {
	return ama3Model(LearnOptions{}.label, len(w.effects[0]), w.transitions, w.effects)
}

// TestOperatorsExplainTheirTransitions: of each transition some operator of its action applies,
// and leads to what was seen after.
func TestOperatorsExplainTheirTransitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := madeWorlds.Draw(t, "world")
		if err := w.model().Validate(); err != nil {
			t.Fatal(err)
		}
		labels, actions := eachAnAction(w.model())
		search, err := planner.New(labels)
		if err != nil {
			t.Fatal(err)
		}
		for _, seen := range w.transitions {
			explained := false
			for l, a := range actions {
				next, ok := labels.Successor(seen.before, strips.ActionID(l+1))
				explained = explained || a == seen.action && ok && next == seen.after
			}
			if !explained {
				t.Fatalf("no operator of %v leads from %s to %s", seen.action, seen.before,
					seen.after)
			}
			r, err := search.Find(t.Context(), seen.before, seen.after, planner.LandmarkCut,
				planner.Limits{})
			if err != nil || r.Outcome != planner.Found || len(r.Plan) > 1 {
				t.Fatalf("from %s to %s: %v, %v", seen.before, seen.after, r, err)
			}
		}
	})
}

// TestLabelsAreDifferentEffects: two transitions of an action have one operator exactly where
// the learned effects are wrong about the same bits, and equally; its preconditions
// are, bit by bit, what its sources share.
func TestLabelsAreDifferentEffects(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := madeWorlds.Draw(t, "world")
		bits := len(w.effects[0])
		sources := map[string][]strips.State{} // by action and what was wrong
		for _, seen := range w.transitions {
			expected, wrong := apply(w.effects[seen.action-1], seen.before), fmt.Sprint(seen.action)
			for p := range strips.Predicate(bits) {
				if after := seen.after.Get(p); after != expected.Get(p) {
					wrong += fmt.Sprint(" ", p, after, after == seen.before.Get(p))
				}
			}
			sources[wrong] = append(sources[wrong], seen.before)
		}
		var want []string
		for _, of := range sources {
			want = append(want, preconditions(of, bits))
		}
		var got []string
		for _, op := range w.model().Operators {
			if len(op.PrePos)+len(op.PreNeg)+op.Effects() > 0 ||
				slices.ContainsFunc(w.transitions,
					func(c codedTransition) bool { return c.action == op.Action }) {
				got = append(got, fmt.Sprint(op.PrePos, op.PreNeg))
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("preconditions %v, want %v", got, want)
		}
	})
}

// preconditions are the bits that all states have, and those that none has.
func preconditions(states []strips.State, bits int) string {
	var held, missing []strips.Predicate
	for p := range strips.Predicate(bits) {
		all := func(value bool) bool {
			return !slices.ContainsFunc(states,
				func(s strips.State) bool { return s.Get(p) != value })
		}
		if all(true) {
			held = append(held, p)
		}
		if all(false) {
			missing = append(missing, p)
		}
	}
	return fmt.Sprint(held, missing)
}
