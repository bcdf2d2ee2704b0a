package learn_test

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"stripswm/models/strips"
	"stripswm/models/vision"
	"stripswm/nodes/learn"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/record"
)

// TestDivideOnPicturesOfATable walks DinnerTable Real-like and codes its camera's pictures
// by their true states, which stay whole. Then one of the four rarest states that were left
// six times has the code of one of the three most frequent that it shares no action
// with; most have to be found, and nothing else may be divided.
func TestDivideOnPicturesOfATable(t *testing.T) {
	const steps, seed = 1500, 2
	w, err := sim.NewSkilled("dinnertablereal", "coarse")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "bag")
	if _, err := record.Run(t.Context(), w, dir, record.Options{
		Transitions: steps, Walk: sim.Uniform, Seed: seed, Size: 64, Quality: 90, Nuisance: 1, Workers: 2}); err != nil {
		t.Fatal(err)
	}
	r, err := learn.Load(t.Context(), dir, 64, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	walk, err := sim.Walk(w, sim.Uniform, seed, steps)
	if err != nil {
		t.Fatal(err)
	}
	truth := make([]vision.Code, r.Data.Images())
	visits, actions := map[vision.Code]int{}, map[vision.Code]map[strips.ActionID]bool{}
	succeeded, refused := 0, 0
	for step := range walk {
		before, after := vision.Code(fmt.Sprint(step.State)), vision.Code(fmt.Sprint(step.Next))
		if !step.OK {
			t := r.Data.Refused[refused]
			truth[t.Before], truth[t.After] = before, before
			refused++
			continue
		}
		t := r.Data.Transitions[succeeded]
		truth[t.Before], truth[t.After] = before, after
		succeeded++
		visits[before]++
		if actions[before] == nil {
			actions[before] = map[strips.ActionID]bool{}
		}
		actions[before][step.Action] = true
	}
	if divided := vision.Divide(r.Data, truth); !slices.Equal(divided, truth) {
		t.Error("true states are divided")
	}
	order := slices.SortedFunc(maps.Keys(visits), func(a, b vision.Code) int {
		return cmp.Or(cmp.Compare(visits[a], visits[b]), cmp.Compare(a, b))
	})
	tried, found := 0, 0
	rarest := slices.IndexFunc(order, func(c vision.Code) bool { return visits[c] >= 6 })
	for _, rare := range order[rarest : rarest+4] {
		with := 0
		for _, other := range slices.Backward(order) {
			common := slices.ContainsFunc(slices.Collect(maps.Keys(actions[rare])), func(a strips.ActionID) bool { return actions[other][a] })
			if common || with == 3 {
				continue
			}
			with++
			merged := slices.Clone(truth)
			for i, code := range merged {
				if code == rare {
					merged[i] = other
				}
			}
			divided := vision.Divide(r.Data, merged)
			states, codes := map[vision.Code]vision.Code{}, map[vision.Code]vision.Code{}
			whole := true
			for i, code := range divided {
				whole = whole && cmp.Or(states[code], truth[i]) == truth[i] && cmp.Or(codes[truth[i]], code) == code
				states[code], codes[truth[i]] = truth[i], code
			}
			if tried++; whole {
				found++
			} else if !slices.Equal(divided, merged) {
				t.Errorf("%s, left %d times, with %s: divided otherwise", rare, visits[rare], other)
			}
			t.Logf("%s, left %d times, with %s, %d: found %v", rare, visits[rare], other, visits[other], whole)
		}
	}
	if 3*found < 2*tried {
		t.Errorf("found %d of %d", found, tried)
	}
}
