package regions

import (
	"context"
	"stripswm/models/operators/internal/work"
	"testing"
)

// hard asks for as few regions as there can be for the separation constraints of a sample graph.
func hard(t *testing.T) *joint {
	p := sample(t, "hanoi_3x3", 0)
	j := newJoint(p, work.UntilDone(t.Context()), 8, nil)
	for _, constraint := range members(p.constraints) {
		j.require(constraint)
	}
	return j
}

// A question that takes so many steps is answered with just these, whatever the
// clock, and never with one fewer.
func TestDecideDependsOnTheStepsAlone(t *testing.T) {
	const most = 1 << 40
	w := work.New(t.Context(), most)
	answer := w.Decide(hard(t).solver)
	used := most - w.Left()
	if answer == 0 || used < 100_000 {
		t.Fatalf("answer %d after %d steps: not hard", answer, used)
	}
	for steps, want := range map[int64]int{used: answer, used - 1: 0, used / 3: 0} {
		w := work.New(t.Context(), steps)
		if got := w.Decide(hard(t).solver); got != want || w.Left() != 0 || w.CutShort() {
			t.Errorf("%d of %d steps: answer %d, want %d; %d left", steps, used, got, want, w.Left())
		}
	}
}

func TestTheContextCutsShort(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := work.New(ctx, 1)
	if w.Decide(hard(t).solver) != 0 || !w.Over() || !w.CutShort() {
		t.Error("an ended context was not noticed")
	}
	if done := work.New(ctx, 0); !done.Over() || done.CutShort() {
		t.Error("work that was done is said to be cut short")
	}
}
