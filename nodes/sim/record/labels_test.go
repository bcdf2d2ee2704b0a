package record_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"stripswm/bags"
	"stripswm/msgs"
	"stripswm/nodes/sim/record"
)

// attempt is what a recording tells of one attempt.
type attempt struct {
	action        uint32
	outcome       bags.Outcome
	reset         bool
	before, after string // compressed images
}

func attempts(t *testing.T, o record.Options) ([]attempt, record.Summary) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "bag")
	s, err := record.Run(context.Background(), blocks(t), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := bags.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	img := func(im bags.Image) string {
		m, err := im.Message()
		if err != nil {
			t.Fatal(err)
		}
		return string(m.(*msgs.CompressedImage).Data)
	}
	var list []attempt
	for tr, err := range r.Transitions(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, attempt{tr.Action, tr.Outcome, tr.Reset, img(tr.Before), img(tr.After)})
	}
	return list, s
}

// TestMislabelling holds mislabelled recordings against the true one.
func TestMislabelling(t *testing.T) {
	const transitions = 200
	labelled := func(share float64) ([]attempt, record.Summary) {
		o := small(transitions, 2)
		o.Mislabel = share
		return attempts(t, o)
	}
	truth, _ := labelled(0)
	few, fewSummary := labelled(0.1)
	many, _ := labelled(0.5)
	all, _ := labelled(1)
	if len(few) != len(truth) || len(many) != len(truth) {
		t.Fatalf("%d, %d and %d attempts", len(truth), len(few), len(many))
	}
	wrong := map[string]int{}
	for i, want := range truth {
		for name, list := range map[string][]attempt{"few": few, "many": many, "all": all} {
			got := list[i]
			if got.before != want.before || got.after != want.after || got.outcome != want.outcome {
				t.Fatalf("attempt %d, %s: the policy is another", i, name)
			}
			if got.action < 1 || got.action > 18 {
				t.Fatalf("attempt %d, %s: action %d of 18", i, name, got.action)
			}
			if got.action == want.action {
				continue
			}
			wrong[name]++
			if want.outcome != bags.Succeeded {
				t.Errorf("attempt %d, %s: a refused attempt is mislabelled", i, name)
			}
		}
		if few[i].action != want.action && many[i].action != few[i].action {
			t.Errorf("attempt %d is %d at 10 %% and %d at 50 %%", i, few[i].action, many[i].action)
		}
	}
	if wrong["few"] != fewSummary.Mislabelled || wrong["all"] != transitions {
		t.Errorf("%d mislabelled, the summary says %d; %d of %d with share 1", wrong["few"],
			fewSummary.Mislabelled, wrong["all"], transitions)
	}
	for name, share := range map[string]float64{"few": 0.1, "many": 0.5} {
		// Four standard deviations.
		if off := math.Abs(float64(wrong[name]) - share*transitions); off > 4*math.Sqrt(
			share*(1-share)*transitions) {
			t.Errorf("%s: %d of %d mislabelled", name, wrong[name], transitions)
		}
	}
}

// TestShorterRecordingIsAPrefix: half of the data is the first half of the policy.
func TestShorterRecordingIsAPrefix(t *testing.T) {
	whole, part := small(80, 2), small(40, 2)
	whole.Mislabel, part.Mislabel = 0.2, 0.2
	whole.Resets, part.Resets = 0.2, 0.2
	long, _ := attempts(t, whole)
	short, s := attempts(t, part)
	if s.Transitions != 40 || len(short) >= len(long) {
		t.Fatalf("%d of %d attempts", len(short), len(long))
	}
	for i := range short {
		if short[i] != long[i] {
			t.Errorf("attempt %d differs: action %d and %d", i, short[i].action, long[i].action)
		}
	}
}

func TestMislabelledRecordingsAreRepeatable(t *testing.T) {
	recorded := func(share float64) string {
		o, dir := small(30, 3), filepath.Join(t.TempDir(), "bag")
		o.Mislabel = share
		if _, err := record.Run(context.Background(), blocks(t), dir, o); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(dir, "bag_0.mcap"))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	first, second := recorded(0.3), recorded(0.3)
	if first != second || first == recorded(0) {
		t.Error("the bytes do not follow from seed and share alone")
	}
}

func TestImpossibleShares(t *testing.T) {
	for _, share := range []float64{-0.1, 1.1, math.NaN()} {
		o := small(3, 1)
		o.Mislabel = share
		if _, err := record.Run(context.Background(), blocks(t), filepath.Join(t.TempDir(), "bag"),
			o); err == nil {
			t.Errorf("share %g is taken", share)
		}
	}
}
