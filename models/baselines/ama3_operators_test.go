package baselines

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"stripswm/models/baselines/autoencoder"
	"stripswm/models/planner"
	"stripswm/models/planner/check"
	"stripswm/models/strips"
)

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
			r, err := search.Find(t.Context(), seen.before, seen.after, planner.AStar,
				planner.Limits{})
			if err != nil || r.Outcome != planner.Found || len(r.Plan) > 1 {
				t.Fatalf("from %s to %s: %v, %v", seen.before, seen.after, r, err)
			}
			if err := check.Plan(labels, seen.before, seen.after, r.Plan); err != nil {
				t.Fatal(err)
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
