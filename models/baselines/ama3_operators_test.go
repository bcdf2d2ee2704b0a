package baselines

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"stripswm/models/planner"
	"stripswm/models/planner/check"
	"stripswm/models/strips"
	"stripswm/models/vision"
)

// made is a world of bits: what each action does to each, and states that it was seen in.
type made struct {
	effects     [][]vision.Effect
	transitions []codedTransition
}

// apply is the effects by their letter.
func apply(effects []vision.Effect, s strips.State) strips.State {
	bits := s.Bools()
	for i, e := range effects {
		bits[i] = e == vision.Adds || e == vision.Leaves && bits[i]
	}
	return strips.StateOf(bits)
}

var madeWorlds = rapid.Custom(func(t *rapid.T) made {
	bits, actions := rapid.IntRange(1, 6).Draw(t, "bits"), rapid.IntRange(1, 4).Draw(t, "actions")
	effect := rapid.Map(rapid.IntRange(0, 2), func(e int) vision.Effect { return vision.Effect(e) })
	var w made
	for range actions {
		w.effects = append(w.effects, rapid.SliceOfN(effect, bits, bits).Draw(t, "effects"))
	}
	for range rapid.IntRange(0, 12).Draw(t, "transitions") {
		a := rapid.IntRange(1, actions).Draw(t, "action")
		before := strips.StateOf(rapid.SliceOfN(rapid.Bool(), bits, bits).Draw(t, "before"))
		w.transitions = append(w.transitions, codedTransition{before, apply(w.effects[a-1], before), strips.ActionID(a)})
	}
	return w
})

func (w made) model() *strips.Model {
	return ama3Model(LearnOptions{}.label, len(w.effects[0]), w.transitions, w.effects)
}

// TestOperatorsExplainTheirTransitions has codes that follow the effects: each operator
// applies in all its sources, and leads to what was seen after.
func TestOperatorsExplainTheirTransitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := madeWorlds.Draw(t, "world")
		m := w.model()
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		search, err := planner.New(m)
		if err != nil {
			t.Fatal(err)
		}
		for _, seen := range w.transitions {
			if next, ok := m.Successor(seen.before, seen.action); !ok || next != seen.after {
				t.Fatalf("%v leads from %s to %s, %v; seen was %s", seen.action, seen.before, next, ok, seen.after)
			}
			r, err := search.Find(t.Context(), seen.before, seen.after, planner.AStar, planner.Limits{})
			if err != nil || r.Outcome != planner.Found || len(r.Plan) > 1 {
				t.Fatalf("from %s to %s: %v, %v", seen.before, seen.after, r, err)
			}
			if err := check.Plan(m, seen.before, seen.after, r.Plan); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestPreconditionsAreWhatSourcesShare compares with the definition, bit by bit.
func TestPreconditionsAreWhatSourcesShare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := madeWorlds.Draw(t, "world")
		for i, op := range w.model().Operators {
			sources := []strips.State{}
			for _, seen := range w.transitions {
				if seen.action == strips.ActionID(i+1) {
					sources = append(sources, seen.before)
				}
			}
			for p := range strips.Predicate(len(w.effects[0])) {
				all := func(value bool) bool {
					return len(sources) > 0 && !slices.ContainsFunc(sources, func(s strips.State) bool { return s.Get(p) != value })
				}
				if slices.Contains(op.PrePos, p) != all(true) || slices.Contains(op.PreNeg, p) != all(false) {
					t.Fatalf("bit %d of %v: required %v, forbidden %v", p, sources, op.PrePos, op.PreNeg)
				}
			}
			if len(sources) == 0 && op.Effects() > 0 {
				t.Fatalf("%s was never seen, and has effects", op.Name)
			}
		}
	})
}
