package sim_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"stripswm/nodes/sim"
	"stripswm/nodes/sim/scene"
)

// Every fault can be made in every world, and is what its name says.
func TestFaulty(t *testing.T) {
	more := map[scene.Fault]int{scene.Removed: -1, scene.Doubled: 1, scene.Added: 1,
		scene.Displaced: 0}
	for _, name := range sim.Names() {
		w, err := sim.New(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range scene.Faults() {
			draw := func() *scene.Scene {
				sc, err := sim.Faulty(w, w.Initial(), f, rand.New(rand.NewPCG(3, 4)), 5, 1)
				if err != nil {
					t.Fatalf("%s, %s: %v", name, f, err)
				}
				return sc
			}
			good, err := w.Scene(w.Initial(), scene.NewJitter(5, 1))
			if err != nil {
				t.Fatal(err)
			}
			bad := draw()
			if got := len(bad.Objects()) - len(good.Objects()); got != more[f] {
				t.Errorf("%s, %s: %d objects more, want %d", name, f, got, more[f])
			}
			if f == scene.Displaced && moved(good, bad) != 1 {
				t.Errorf("%s: %d objects displaced, want 1", name, moved(good, bad))
			}
			if !reflect.DeepEqual(bad, draw()) {
				t.Errorf("%s, %s: the same seed gives another scene", name, f)
			}
		}
		if _, err := sim.Faulty(w, w.Initial(), "object painted", rand.New(rand.NewPCG(1, 1)), 1,
			1); err == nil {
			t.Errorf("%s: an unknown fault was accepted", name)
		}
	}
}

func moved(a, b *scene.Scene) (n int) {
	for _, k := range a.Objects() {
		before, _ := a.Extent(k)
		after, half := b.Extent(k)
		if after.Sub(before).Len() > 0.9*max(half.X, half.Y) {
			n++
		}
	}
	return n
}
