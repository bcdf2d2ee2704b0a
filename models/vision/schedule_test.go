package vision

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"stripswm/models/dataset/datasettest"
	"stripswm/models/networks"
)

// TestDecay follows a loss and the learning rate through a training.
func TestDecay(t *testing.T) {
	choice, s := Term{Stable: 100},
		Schedule{Optimizer: networks.Optimizer{LearningRate: 1}, Stable: 100}
	for step, want := range map[int][2]float64{0: {1, 1}, 100: {1, 1}, 150: {0.55, 0.625},
		200: {0.1, 0.25}, 900: {0.1, 0.25}} {
		share, rate := choice.share(step, 0), s.ratesAt(step, 0)[0]
		if math.Abs(float64(share)-want[0]) > 1e-6 || math.Abs(float64(rate)-want[1]) > 1e-6 {
			t.Errorf("step %d: loss %g and rate %g, want %v", step, share, rate, want)
		}
	}
	choice.Stable, s.Stable = 0, 0
	if choice.share(900, 0) != 1 || s.ratesAt(900, 0)[0] != 1 {
		t.Error("what should stay decays")
	}
}

// TestWarmup follows what grows to its weight, in the order of the losses.
func TestWarmup(t *testing.T) {
	o := Objective{"continuity": {Weight: 1, Warmup: 100}, "pull": {Weight: 2, Warmup: 10},
		"inverse": {Weight: 3}, "separation": {}}
	for step, want := range map[int][]float32{0: {1, 0, 0}, 5: {1, 0.5, 0.05}, 10: {1, 1, 0.1},
		50: {1, 1, 0.5}, 900: {1, 1, 1}} {
		if got := o.shares(step, 0); !slices.Equal(got, want) {
			t.Errorf("step %d: %v, want %v", step, got, want)
		}
	}
}

// TestPatience holds the learning rate of stage 3 until the images are learned, as
// long as there is patience, and then lets it fall to zero over as many steps again.
func TestPatience(t *testing.T) {
	c := ClassifierSettings{Optimizer: networks.Optimizer{LearningRate: 1}, Epochs: 2, Steps: 100,
		Decay: 0.5, Batch: 5, Patience: 4}
	for name, k := range map[string]struct {
		images, patience, learned int // learned at this step
		steps                     int
	}{
		"learned in time":        {10, 4, 50, 100},
		"a small recording":      {10, 4, 0, 100},
		"a large recording":      {1000, 4, 0, 200},
		"learned later":          {10, 4, 95, 220},
		"never learned":          {10, 4, 1000, 400},
		"no patience":            {10, 1, 1000, 100},
		"the setting's omission": {10, 0, 1000, 100},
	} {
		c.Patience = k.patience
		l := c.length(k.images)
		for step := range l.hold * 5 {
			right := 0.5
			if step >= k.learned {
				right = 0.99
			}
			if step == l.hold {
				l = l.after(right)
			}
		}
		full, half, end := c.ratesAt(l.hold, l)[0], c.ratesAt((l.hold+l.steps())/2, l)[0],
			c.ratesAt(l.steps(), l)[0]
		if l.steps() != k.steps || full != 1 || half != 0.5 || end != 0 {
			t.Errorf("%s: %d steps, want %d; rates %g, %g, %g", name, l.steps(), k.steps, full,
				half, end)
		}
	}
}

// TestSeparated follows trainings whose contrast stops falling before, with and after what
// contradicts itself.
func TestSeparated(t *testing.T) {
	falls := func(from, to, steps float64) func(int) float64 {
		return func(s int) float64 { return to + (from-to)*math.Exp(-float64(s)/steps) }
	}
	for name, k := range map[string]struct {
		contrast, minority func(step int) float64
		found              int
	}{
		"all at once":          {falls(4, 1, 100), falls(0.4, 0, 100), 800},
		"contradictions go on": {falls(4, 1, 100), falls(0.4, 0, 500), 1900},
		"wrong labels stay":    {falls(4, 1, 100), falls(0.4, 0.1, 300), 1600},
		"contrast goes on":     {falls(4, 1, 1000), falls(0.4, 0, 100), 0},
	} {
		var history []Evaluation
		found := 0
		for step := 100; step <= 5000 && found == 0; step += 100 {
			history = append(history,
				Evaluation{Step: step, MinorityShare: k.minority(step),
					Losses: map[string]float64{"contrast": k.contrast(step)}})
			if separated(history, contrastScale(64)) {
				found = step
			}
		}
		if found != k.found {
			t.Errorf("%s: separated at %d, want %d", name, found, k.found)
		}
	}
}

func TestCollapsed(t *testing.T) {
	p := Auto()
	chance := contrastScale(p.Batch)
	for name, k := range map[string]struct {
		contrast []float64
		want     bool
	}{
		"at the first":           {[]float64{chance + 0.1}, false},
		"twice":                  {[]float64{chance + 0.1, chance}, true},
		"late":                   {[]float64{2, 1.5, chance, chance}, true},
		"before, and not now":    {[]float64{chance, chance, 4}, false},
		"something is separated": {[]float64{chance - 0.5, chance - 0.5}, false},
	} {
		var history []Evaluation
		for _, c := range k.contrast {
			history = append(history, Evaluation{Losses: map[string]float64{"contrast": c}})
		}
		if got := p.collapsed(history); got != k.want {
			t.Errorf("%s: %v", name, got)
		}
		if fixed := Small(); fixed.collapsed(history) {
			t.Errorf("%s: small, which has no phase separate", name)
		}
	}
}

// TestRestartsAfterCollapse trains with steps so large that no weights separate anything,
// each time in a checkpoint of its own.
func TestRestartsAfterCollapse(t *testing.T) {
	d, _ := datasettest.NewLamps(3).Transitions(100)
	p := tiny()
	p.Objective, p.WorldModel = Auto().Objective, Auto().WorldModel
	p.WorldModel.Steps, p.WorldModel.Evaluate, p.WorldModel.LearningRate, p.WorldModel.Warmup = 60,
		10, 30, 1
	o := Options{Seed: 1, Checkpoint: filepath.Join(t.TempDir(), "stage1")}
	learned, err := TrainWorldModel(context.Background(), d, p, o)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := filepath.Glob(o.Checkpoint + "*")
	if err != nil || learned.Starts != 4 || len(kept) != 4 {
		t.Errorf("started %d times, with checkpoints %v, %v; want 4", learned.Starts, kept, err)
	}
	if len(learned.History) != 2 {
		t.Errorf("it was noticed at evaluation %d, want 2", len(learned.History))
	}
	o.Resume = true
	again, err := TrainWorldModel(context.Background(), d, p, o)
	if err != nil || !slices.Equal(again.Teacher, learned.Teacher) {
		t.Errorf("resumed it ends elsewhere: %v", err)
	}
}

// TestOverfit goes through trainings on 400 transitions, for which a hundred codes would do.
func TestOverfit(t *testing.T) {
	for name, k := range map[string]struct {
		codes, minority func(step int) float64
		found           int
	}{
		"few codes in the end": {func(s int) float64 { return max(16, 150-0.2*float64(s)) },
			func(s int) float64 { return 0.5 * math.Exp(-float64(s)/300) }, 0},
		"many, and no fewer": {func(s int) float64 { return 110 + 0.01*float64(s) },
			func(int) float64 { return 0.35 }, 800},
		"many, for a while": {func(s int) float64 { return max(20, 300-0.1*float64(s)) },
			func(s int) float64 { return 0.5 * math.Exp(-float64(s)/1500) }, 0},
		// an action that comes out by coincidence
		"few, but contradictions": {func(int) float64 { return 60 },
			func(int) float64 { return 0.35 }, 0},
		"many, and none": {func(int) float64 { return 250 },
			func(int) float64 { return 0 }, 0},
	} {
		var history []Evaluation
		found := 0
		for step := 100; step <= 5000 && found == 0; step += 100 {
			history = append(history,
				Evaluation{Step: step, Codes: int(k.codes(step)), MinorityShare: k.minority(step)})
			if overfit(history, 400) {
				found = step
			}
		}
		if found != k.found {
			t.Errorf("%s: overfit at %d, want %d", name, found, k.found)
		}
	}
}
