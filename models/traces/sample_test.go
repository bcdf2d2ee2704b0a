package traces_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"stripswm/models/traces"
	"stripswm/models/traces/check"
	"stripswm/models/worlds"
)

// Each sampled world has the effects of the model, and all recorded successes are possible in it.
// After few attempts it differs from the model.
func TestSampledWorldsAllowTheAttempts(t *testing.T) {
	w := worlds.Table(3, 4)
	segments := [][]traces.Attempt{w.Record(300, 1, worlds.Noise{})}
	r := learn(t, w, segments...)
	learned := slices.Clone(r.Model.Operators)
	rng := rand.New(rand.NewPCG(1, 2))
	different := false
	for range 10 {
		sampled := *r.Model
		sampled.Operators = r.Sample(rng)
		if _, faults := check.Model(segments, &sampled); len(faults) > 0 {
			t.Fatal(faults)
		}
		for i, o := range sampled.Operators {
			m := learned[i]
			if !slices.Equal(o.Add, m.Add) || !slices.Equal(o.Del, m.Del) {
				t.Fatalf("action %d: other effects", o.Action)
			}
			different = different || len(o.PrePos) != len(m.PrePos) || len(o.PreNeg) != len(m.PreNeg)
		}
	}
	if !different {
		t.Error("all sampled worlds need as many literals as the model")
	}
	if !reflect.DeepEqual(learned, r.Model.Operators) {
		t.Error("the model changed")
	}
}
