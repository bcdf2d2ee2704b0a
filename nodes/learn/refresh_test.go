package learn

import (
	"context"
	"fmt"
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

// A bundle of two recordings is refreshed after its camera was bumped and the lamp was changed: it
// keeps its facts and operators, and recognizes images of before and after.
func TestRefresher(t *testing.T) {
	world := must(sim.New("dinnertable"))
	w, dir := sim.Whole(world), t.TempDir()
	runs := filepath.Join(dir, "runs")
	var own []string
	for seed, transitions := range map[uint64]int{1: 600, 2: 300} {
		own = append(own, filepath.Join(dir, fmt.Sprint("bag", seed)))
		must(record.Run(t.Context(), w, own[len(own)-1], record.Options{Transitions: transitions,
			Policy: sim.Uniform, Seed: seed, Size: 64, Quality: 90, Nuisance: 1, Workers: 2}))
	}
	slices.Sort(own)
	learned := must(Learner{Bags: own, Out: filepath.Join(dir, "old"), Method: Traces,
		Preset: facts.DefaultPreset(), Facts: facts.DefaultPreset(), Seed: 1,
		Threads: 2}.Run(t.Context()))
	defer learned.Recording.Close()
	if n := len(learned.Recording.Data.Transitions); n != 900 {
		t.Errorf("learned from %d transitions, want 900", n)
	}
	recordWorn(t, w, sim.Wear{Right: 0.03, Down: -0.01, Light: 0.7, Noise: 1.5}, runs, 150)
	r := Refresher{Bundle: learned.Bundle.Dir, Bags: append([]string{runs}, own...),
		Out: filepath.Join(dir, "new"), Seed: 1, Threads: 2}
	s := must(r.Run(t.Context()))
	if s.Recordings != 1 || s.Images < 250 || s.Old.After < s.Old.Before-2 ||
		float64(s.New.After) < 0.9*float64(s.New.Images) || s.New.After < s.New.Before {
		t.Errorf("refreshed: %+v", s)
	}
	b := must(bundle.Open(s.Bundle))
	if n := len(b.Manifest.Inputs); n != 3 {
		t.Errorf("the new bundle is of %d recordings, want 3", n)
	}
	for _, role := range []bundle.Role{bundle.Model, bundle.Reference} {
		before, after := read(t, learned.Bundle, role), read(t, b, role)
		if !slices.Equal(before, after) {
			t.Errorf("part %s is another", role)
		}
	}
	for name, bags := range map[string][]string{
		"add those with the hashes": {runs, own[0]},
		"add a newer one":           own,
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
