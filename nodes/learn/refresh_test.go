package learn

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"stripswm/models/bundle"
	"stripswm/models/facts"
	"stripswm/models/strips"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/record"
)

// recordWorn records so many successes of random skills at a table after some wear.
func recordWorn(t *testing.T, w *sim.World, wear sim.Wear, bag string, successes int) {
	t.Helper()
	o := record.Options{Seed: 9, Size: 64, Quality: 90, Nuisance: 1, Workers: 1}
	rig := must(record.OpenRig(sim.Worn(w, &wear), bag, o))
	rng := rand.New(rand.NewPCG(1, 3))
	for done := 0; done < successes; {
		a := strips.ActionID(1 + rng.IntN(w.NumActions()))
		if _, ok := w.Apply(rig.State(), a); !ok {
			continue
		}
		if _, _, _, err := rig.Try(a); err != nil {
			t.Fatal(err)
		}
		done++
	}
	must(0, rig.Close())
}

// A bundle is refreshed after its camera was bumped and the lamp was changed: it keeps its facts
// and operators, and recognizes images of before and after.
func TestRefresher(t *testing.T) {
	world := must(sim.New("dinnertable"))
	w, dir := sim.Whole(world), t.TempDir()
	bag, runs := filepath.Join(dir, "bag"), filepath.Join(dir, "runs")
	must(record.Run(t.Context(), w, bag, record.Options{Transitions: 900, Policy: sim.Uniform,
		Seed: 1, Size: 64, Quality: 90, Nuisance: 1, Workers: 2}))
	learned := must(Learner{Bag: bag, Out: filepath.Join(dir, "old"), Method: Traces,
		Preset: facts.DefaultPreset(), Facts: facts.DefaultPreset(), Seed: 1,
		Threads: 2}.Run(t.Context()))
	defer learned.Recording.Close()
	recordWorn(t, w, sim.Wear{Right: 0.03, Down: -0.01, Light: 0.7, Noise: 1.5}, runs, 150)
	r := Refresher{Bundle: learned.Bundle.Dir, Bags: []string{runs, bag},
		Out: filepath.Join(dir, "new"), Seed: 1, Threads: 2}
	s := must(r.Run(t.Context()))
	if s.Recordings != 1 || s.Images < 250 || s.Old.After < s.Old.Before-2 ||
		float64(s.New.After) < 0.9*float64(s.New.Images) || s.New.After < s.New.Before {
		t.Errorf("refreshed: %+v", s)
	}
	b := must(bundle.Open(s.Bundle))
	if n := len(b.Manifest.Inputs); n != 2 {
		t.Errorf("the new bundle is of %d recordings, want 2", n)
	}
	for _, role := range []bundle.Role{bundle.Model, bundle.Reference} {
		before, after := read(t, learned.Bundle, role), read(t, b, role)
		if !slices.Equal(before, after) {
			t.Errorf("part %s is another", role)
		}
	}
	for name, bags := range map[string][]string{
		"add those with the hashes": {runs},
		"add a newer one":           {bag},
	} {
		r.Bags = bags
		if _, err := r.Run(context.Background()); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("of %v: %v, want %q", bags, err, name)
		}
	}
}

func read(t *testing.T, b *bundle.Bundle, role bundle.Role) []byte {
	t.Helper()
	data := must(b.Read(role))
	return data
}
