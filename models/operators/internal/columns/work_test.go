package columns

import (
	"context"
	"testing"
)

// hard asks for as few columns as there can be for the atoms of a sample graph.
func hard(t *testing.T) *joint {
	p := sample(t, "hanoi_3x3", 0)
	j := newJoint(p, untilDone(t.Context()), 8, nil)
	for _, atom := range members(p.atoms) {
		j.require(atom)
	}
	return j
}

// A question that takes so many steps is answered with just these, whatever the
// clock, and never with one fewer.
func TestDecideDependsOnTheStepsAlone(t *testing.T) {
	const most = 1 << 40
	w := NewWork(t.Context(), most)
	answer := w.decide(hard(t).solver)
	used := most - w.left
	if answer == 0 || used < 100_000 {
		t.Fatalf("answer %d after %d steps: not hard", answer, used)
	}
	for steps, want := range map[int64]int{used: answer, used - 1: 0, used / 3: 0} {
		w := NewWork(t.Context(), steps)
		if got := w.decide(hard(t).solver); got != want || w.left != 0 || w.CutShort() {
			t.Errorf("%d of %d steps: answer %d, want %d; %d left", steps, used, got, want, w.left)
		}
	}
}

func TestTheContextCutsShort(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := NewWork(ctx, 1)
	if w.decide(hard(t).solver) != 0 || !w.over() || !w.CutShort() {
		t.Error("an ended context was not noticed")
	}
	if done := NewWork(ctx, 0); !done.over() || done.CutShort() {
		t.Error("work that was done is said to be cut short")
	}
}

func TestPhasesShareTheWork(t *testing.T) {
	w := NewWork(t.Context(), 1000)
	w.within(20, func() { w.spend(50) })
	if w.left != 950 {
		t.Errorf("%d left of 1000 after 50", w.left)
	}
	w.within(20, func() {
		if w.spend(300); !w.over() {
			t.Error("more than its share, and not over")
		}
	})
	each := w.fork(2)
	each[0].spend(100)
	each[1].spend(200)
	if w.join(each); w.left != 450 || w.over() {
		t.Errorf("%d left, want 450", w.left)
	}
}
