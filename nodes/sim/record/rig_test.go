package record_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"stripswm/bags"
	"stripswm/models/strips"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/record"
)

// TestRig attempts a skill that applies, one that does not, and one after a reset; the recording tells of each as soon as it is over.
func TestRig(t *testing.T) {
	w, dir := blocks(t), filepath.Join(t.TempDir(), "bag")
	rig, err := record.OpenRig(w, dir, small(0, 1))
	if err != nil {
		t.Fatal(err)
	}
	var applies, refused strips.ActionID
	for a := strips.ActionID(1); int(a) <= w.NumActions(); a++ {
		if _, ok := w.Apply(w.Initial(), a); ok {
			applies = a
		} else {
			refused = a
		}
	}
	next, _ := w.Apply(w.Initial(), applies)
	for i, c := range []struct {
		action strips.ActionID
		ok     bool
		reset  bool
	}{{refused, false, false}, {applies, true, false}, {applies, true, true}} {
		if c.reset {
			rig.Reset(w.Initial())
		}
		before, after, ok, err := rig.Try(c.action)
		if err != nil || ok != c.ok || len(before.Data) == 0 || len(after.Data) == 0 {
			t.Fatalf("attempt %d: %t, %v", i, ok, err)
		}
		r, err := bags.OpenLive(dir)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for got, err := range r.Transitions(context.Background()) {
			if err != nil {
				t.Fatal(err)
			}
			if n++; n == i+1 && (got.Action != uint32(c.action) || got.Reset != c.reset || (got.Outcome == bags.Succeeded) != c.ok) {
				t.Errorf("attempt %d is recorded as %+v", i, got)
			}
		}
		if err := r.Close(); err != nil || n != i+1 {
			t.Errorf("%d attempts are recorded of %d, %v", n, i+1, err)
		}
	}
	if visited := rig.Visited(); !slices.Equal(visited, []sim.State{w.Initial(), next}) {
		t.Errorf("visited %v", visited)
	}
	if _, _, _, err := rig.Try(0); err == nil {
		t.Error("action 0 was attempted")
	}
	if err := rig.Close(); err != nil {
		t.Fatal(err)
	}
}
