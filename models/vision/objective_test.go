package vision

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"stripswm/models/dataset/datasettest"
)

func TestObjectiveWith(t *testing.T) {
	small := Small().Objective
	for _, c := range []struct {
		name   string
		weight float64
		want   string // in the error
	}{
		{"augment", 0.1, ""},
		{"choice", 0, ""},
		{"agument", 0.1, "choose dynamics, inverse"},
		{"augment", -1, "weight -1"},
		{"augment", math.NaN(), "weight NaN"},
		{"augment", math.Inf(1), "weight +Inf"},
	} {
		changed, err := small.With(c.name, c.weight)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s=%g: %v, want %q", c.name, c.weight, err, c.want)
		}
		if err == nil && changed[c.name].Weight != c.weight {
			t.Errorf("%s=%g: got %g", c.name, c.weight, changed[c.name].Weight)
		}
	}
	if changed, _ := small.With("pull", 0.5); changed["pull"].Warmup != small["pull"].Warmup ||
		small["pull"].Weight == 0.5 {
		t.Error("another weight changed the schedule, or the objective it was made from")
	}
	if _, err := (Objective{"pull": {Weight: 1}}).With("pull", 0); err == nil {
		t.Error("an objective without losses was accepted")
	}
}

// TestEveryLossTrains takes two steps with each loss alone: it names all that it
// compares, is measured, and its gradients are numbers.
func TestEveryLossTrains(t *testing.T) {
	d, _ := datasettest.NewLamps(8).Transitions(40)
	for _, l := range losses {
		t.Run(l.name, func(t *testing.T) {
			p := tiny()
			p.Objective = Objective{l.name: {Weight: 1}}
			p.WorldModel.Steps, p.WorldModel.Evaluate = 2, 2
			learned, err := TrainWorldModel(context.Background(), d, p, Options{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			if v, ok := learned.Chosen.Losses[l.name]; !ok ||
				math.Abs(v-learned.Chosen.Losses["total"]) > 1e-5*math.Abs(v) {
				t.Errorf("measured %v", learned.Chosen.Losses)
			}
			if slices.ContainsFunc(learned.Teacher, func(w float32) bool { return w != w }) {
				t.Error("the weights are not numbers")
			}
		})
	}
}

// TestPresetWithLoss gives a loss another weight, which holds whatever the preset comes to train
// with.
func TestPresetWithLoss(t *testing.T) {
	for _, before := range Presets() {
		p, err := before.WithLoss("augment", 0.25)
		if err != nil {
			t.Fatal(err)
		}
		for i, o := range []Objective{p.Objective, p.FallbackSmall, p.FallbackFew,
			p.FallbackForesight} {
			if (o == nil) != (i > 0 && p.Name != DefaultPreset) || o != nil &&
				o["augment"].Weight != 0.25 {
				t.Errorf("%s, objective %d: %v", p.Name, i, o)
			}
		}
		if before.Objective["augment"].Weight == 0.25 {
			t.Errorf("%s has changed", before.Name)
		}
	}
	if _, err := Auto().WithLoss("fame", 1); err == nil {
		t.Error("a loss that there is not was taken")
	}
}
