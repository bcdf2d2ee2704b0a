package traces_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"stripswm/models/strips"
	"stripswm/models/traces"
	"stripswm/models/traces/check"
	"stripswm/models/worlds"
)

// Each sampled world has the effects of the model, and all recorded successes are possible in it.
// It differs from the model after few attempts, and less after many.
func TestSampledWorldsAllowTheAttempts(t *testing.T) {
	w := worlds.Table(3, 4)
	different := map[int]int{}
	for _, n := range []int{300, 3000} {
		segments := [][]traces.Attempt{w.Record(n, 1, worlds.Noise{})}
		r := learn(t, w, segments...)
		learned := slices.Clone(r.Model.Operators)
		rng := rand.New(rand.NewPCG(1, 2))
		for range 10 {
			sampled := *r.Model
			sampled.Operators = r.Sample(rng)
			if _, faults := check.Model(segments, &sampled); len(faults) > 0 {
				t.Fatalf("%d attempts: %v", n, faults)
			}
			for i, o := range sampled.Operators {
				m := learned[i]
				if !slices.Equal(o.Add, m.Add) || !slices.Equal(o.Del, m.Del) {
					t.Fatalf("%d attempts, action %d: other effects", n, o.Action)
				}
				for _, p := range [][2][]strips.Predicate{{o.PrePos, m.PrePos}, {o.PreNeg, m.PreNeg}} {
					slices.Sort(p[0])
					if !slices.Equal(p[0], p[1]) {
						different[n]++
					}
				}
			}
		}
		if !reflect.DeepEqual(learned, r.Model.Operators) {
			t.Fatal("the model changed")
		}
	}
	if different[300] == 0 {
		t.Errorf("lists of preconditions that differ from the model's, by attempts: %v", different)
	}
}
