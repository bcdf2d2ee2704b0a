package work

import (
	"testing"
)

func TestPhasesShareTheWork(t *testing.T) {
	w := New(t.Context(), 1000)
	w.Within(20, func() { w.Spend(50) })
	if w.left != 950 {
		t.Errorf("%d left of 1000 after 50", w.left)
	}
	w.Within(20, func() {
		if w.Spend(300); !w.Over() {
			t.Error("more than its share, and not over")
		}
	})
	each := w.Fork(2)
	each[0].Spend(100)
	each[1].Spend(200)
	if w.Merge(each); w.left != 450 || w.Over() {
		t.Errorf("%d left, want 450", w.left)
	}
}
