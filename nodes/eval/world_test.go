package eval

import (
	"path/filepath"
	"slices"
	"testing"

	"stripswm/models/bundle"
	"stripswm/models/pixels"
	"stripswm/nodes/learn"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/record"
)

// What a recording says of itself is enough to know which states it does not have.
func TestQueriesAreBetweenStatesThatWereNotRecorded(t *testing.T) {
	keydoor := must(sim.New("keydoor"))
	w := sim.Whole(keydoor)
	dir := filepath.Join(t.TempDir(), "bag")
	made := must(record.Run(t.Context(), w, dir, record.Options{Transitions: 60, Policy: sim.Balanced,
		Seed: 4, Size: 64, Quality: 90, Workers: 2, Unmarked: true,
		Faults: sim.Faults{Resets: 0.1, Failures: 0.1}}))
	r := must(learn.Load(t.Context(), dir, learn.Frame{Side: 64, Fit: pixels.Letterbox},
		w.NumActions(), nil))
	defer r.Close()
	from := must(simulate(w, (*bundle.Simulation)(r.Simulation), Options{Seed: 1, Explored: 4}))
	all := from.graph.States()
	if from.unrecorded < 10 || from.unrecorded+made.States != len(all) {
		t.Fatalf("%d states are not recorded, of %d, and %d are", from.unrecorded, len(all), made.States)
	}
	asked := 0
	for _, queries := range from.queries(20) {
		for _, q := range queries {
			asked++
			if !slices.Contains(from.asked, q.Start) || !slices.Contains(from.asked, q.Goal) {
				t.Errorf("from %s to %s: recorded", w.Describe(q.Start), w.Describe(q.Goal))
			}
		}
	}
	if asked < 60 {
		t.Errorf("%d queries", asked)
	}
	for name, other := range map[string]*bundle.Simulation{"no simulation": nil,
		"a rig":  {World: w.Name(), Seed: 4, Whole: true},
		"a part": {World: w.Name(), Seed: 4, Policy: "balanced", Transitions: 60}} {
		if never, err := Unrecorded(w, other); never != nil || err != nil {
			t.Errorf("%s: %v, %v", name, never, err)
		}
	}
}

// must is for what fails in no test.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
