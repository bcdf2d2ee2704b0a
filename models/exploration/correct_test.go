package exploration_test

import (
	"errors"
	"slices"
	"testing"

	"stripswm/models/exploration"
	"stripswm/models/strips"
	"stripswm/models/traces"
	"stripswm/models/worlds"
)

// One attempt in twenty is reported wrongly. An explorer that is told so expects what one expects
// that was never told wrongly.
func TestCorrect(t *testing.T) {
	r := newRobot(t, worlds.Blocks(), exploration.Options{Seed: 1})
	for range 600 {
		r.attempt(t)
	}
	wrong := slices.Clone(r.trace)
	for i := 10; i < len(wrong); i += 20 {
		wrong[i].Outcome = traces.Succeeded + traces.Refused - wrong[i].Outcome
	}
	var told *exploration.Explorer
	expects := func(segments ...[]traces.Attempt) float64 {
		var err error
		told, err = exploration.New(len(r.world.Operators), exploration.Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if err := told.Correct(segments); err != nil {
			t.Fatal(err)
		}
		x, err := told.Expect(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return x.Success
	}
	if x := expects(wrong); x > 0.5 {
		t.Errorf("%.2f is expected with wrong outcomes", x)
	}
	if x := expects(r.trace); x < 0.9 {
		t.Errorf("%.2f is expected with right outcomes", x)
	}
	failed := traces.Attempt{Action: 1, Outcome: traces.Failed}
	half := append(slices.Clone(r.trace[:300]), failed)
	if x, y := expects(half, r.trace[300:]), expects(append(half, r.trace[300:]...)); x != y {
		t.Errorf("%.2f is expected where a segment ends after a failed attempt, %.2f where not", x, y)
	}
	if err := told.Correct([][]traces.Attempt{{{Action: 19}}}); err == nil {
		t.Error("unknown action: no error")
	}
	together := traces.Attempt{Action: 1, Outcome: traces.Succeeded, With: 19}
	if err := told.Correct([][]traces.Attempt{{together}}); err == nil {
		t.Error("together with an unknown action: no error")
	}
}

// After somebody picked a block and placed it, what applies is known as it was before, in whatever
// order the two skills are named.
func TestChanged(t *testing.T) {
	for _, reversed := range []bool{false, true} {
		r := newRobot(t, worlds.Blocks(), exploration.Options{Seed: 1})
		for range 600 {
			r.attempt(t)
		}
		var by [2]strips.ActionID
		for i := range by {
			a := slices.IndexFunc(r.world.Operators, func(o worlds.Operator) bool { return o.Applies(r.at) })
			by[i], r.at = strips.ActionID(a+1), r.world.Operators[a].Apply(r.at)
		}
		if reversed {
			by[0], by[1] = by[1], by[0]
		}
		r.Changed(by)
		for range 50 {
			r.attempt(t)
		}
		if x, err := r.Expect(t.Context(), nil); err != nil || x.Success < 0.9 {
			t.Errorf("%v, reversed %v: %.2f is expected, %v", by, reversed, x.Success, err)
		}
	}
}

// A skill that was skipped is not attempted again before another one succeeded, and says nothing.
func TestSkip(t *testing.T) {
	e, err := exploration.New(2, exploration.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	c, _ := e.Next()
	e.Skip(c.Action, 20)
	other, err := e.Next()
	if err != nil || other.Action == c.Action {
		t.Fatalf("%d again after %d, %v", other.Action, c.Action, err)
	}
	if err := e.Observe(other.Action, traces.Succeeded, 20); err != nil {
		t.Fatal(err)
	}
	e.Skip(other.Action, 20)
	if again, err := e.Next(); err != nil || again.Action != c.Action {
		t.Errorf("%d, not %d, %v", again.Action, c.Action, err)
	}
}

// Where all others were refused, a skill that was skipped is attempted once more.
func TestSkippedIsTriedOnceMore(t *testing.T) {
	e, err := exploration.New(2, exploration.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	skipped, _ := e.Next()
	e.Skip(skipped.Action, 20)
	other, _ := e.Next()
	if err := e.Observe(other.Action, traces.Refused, 2); err != nil {
		t.Fatal(err)
	}
	if again, err := e.Next(); err != nil || again.Action != skipped.Action {
		t.Fatalf("%d, not %d, %v", again.Action, skipped.Action, err)
	}
	e.Skip(skipped.Action, 20)
	if c, err := e.Next(); !errors.Is(err, exploration.ErrStuck) {
		t.Errorf("%+v, %v", c, err)
	}
}
