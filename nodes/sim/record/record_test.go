package record_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stripswm/bags"
	"stripswm/models/strips"
	"stripswm/msgs"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/record"
)

func blocks(t testing.TB) *sim.World {
	t.Helper()
	w, err := sim.New("blocksworld")
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func small(transitions, workers int) record.Options {
	return record.Options{Transitions: transitions, Policy: sim.Balanced, Seed: 4, Size: 64,
		Quality: 90, Nuisance: 1, Workers: workers}
}

// TestRecordingNamesThePolicy reads a recording back and holds it against the
// policy that the same seed gives.
func TestRecordingNamesThePolicy(t *testing.T) {
	w, dir := blocks(t), filepath.Join(t.TempDir(), "bag")
	s, err := record.Run(context.Background(), w, dir, small(60, 3))
	if err != nil {
		t.Fatal(err)
	}
	policy, err := sim.RunPolicy(w, sim.Balanced, 4, 60, sim.Faults{})
	if err != nil {
		t.Fatal(err)
	}
	var steps []sim.Step
	for step := range policy {
		steps = append(steps, step)
	}
	if s.Transitions != 60 || s.Transitions+s.Refused != len(steps) {
		t.Errorf("summary %+v of %d attempts", s, len(steps))
	}
	r, err := bags.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for tr, err := range r.Transitions(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		step := steps[tr.Index]
		if strips.ActionID(tr.Action) != step.Action || (tr.Outcome == bags.Succeeded) != step.OK {
			t.Errorf("transition %d is %d %s, the policy has %+v", tr.Index, tr.Action, tr.Outcome, step)
		}
		m, err := tr.Before.Message()
		if err != nil {
			t.Fatal(err)
		}
		if size, _, err := image.DecodeConfig(
			bytes.NewReader(m.(*msgs.CompressedImage).Data)); err != nil || size.Width != 64 {
			t.Errorf("transition %d: %v, %v", tr.Index, size, err)
		}
	}
	report, err := bags.Check(context.Background(), dir, nil, nil)
	if err != nil || report.Class != bags.Intact {
		t.Errorf("check: %v, %v", report, err)
	}
}

// TestNothingIsRefused records a world in which every action always applies.
func TestNothingIsRefused(t *testing.T) {
	w, err := sim.New("lamps")
	if err != nil {
		t.Fatal(err)
	}
	s, err := record.Run(context.Background(), w, filepath.Join(t.TempDir(), "bag"), small(30, 2))
	if err != nil || s.Transitions != 30 || s.Refused != 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestWorkersDoNotChangeTheBytes(t *testing.T) {
	recorded := func(workers int) string {
		dir := filepath.Join(t.TempDir(), "bag")
		if _, err := record.Run(context.Background(), blocks(t), dir, small(20, workers)); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(dir, "bag_0.mcap"))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if recorded(1) != recorded(4) {
		t.Error("one worker and four write different recordings")
	}
}

func TestInterruptedRecordingIsWhole(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	o := small(500, 2)
	o.Progress = func(done int) {
		if done == 30 {
			cancel()
		}
	}
	dir := filepath.Join(t.TempDir(), "bag")
	s, err := record.Run(ctx, blocks(t), dir, o)
	if !errors.Is(err, context.Canceled) || s.Transitions < 30 || s.Transitions == 500 {
		t.Fatalf("%+v, %v", s, err)
	}
	report, err := bags.Check(context.Background(), dir, nil, nil)
	if err != nil || report.Class != bags.Intact || report.Succeeded != s.Transitions {
		t.Errorf("check: %+v, %v", report, err)
	}
}

// TestSeedsNeverMeet: images for evaluation differ from every training image.
func TestSeedsNeverMeet(t *testing.T) {
	training := map[uint64]bool{}
	for recording := range uint64(4) {
		for attempt := range uint64(2000) {
			for k := range 2 {
				seed := record.Seed(recording, attempt, k)
				if training[seed] {
					t.Fatalf("recording %d, attempt %d, image %d repeats a seed", recording, attempt, k)
				}
				training[seed] = true
			}
		}
	}
	for recording := range uint64(4) {
		for i := range uint64(4000) {
			if training[record.EvaluationSeed(recording, i)] {
				t.Fatalf("evaluation %d of recording %d uses a training seed", i, recording)
			}
		}
	}
}

func ExampleRun() {
	dir, err := os.MkdirTemp("", "record-*")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	world, _ := sim.New("blocksworld")
	s, err := record.Run(context.Background(), world, filepath.Join(dir, "bag"),
		record.Options{Transitions: 25, Policy: sim.Balanced, Seed: 1, Size: 64, Quality: 90, Nuisance: 1,
			Workers: 2})
	fmt.Println(s.Transitions, "transitions", err)
	// Output: 25 transitions <nil>
}

// A recording that ends where no skill applies says so, and is valid.
func TestDeadEnd(t *testing.T) {
	w, err := sim.New("paint")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "bag")
	o := record.Options{Transitions: 200, Policy: sim.Balanced, Seed: 1, Size: 64, Quality: 90}
	s, err := record.Run(t.Context(), sim.Whole(w), dir, o)
	if err == nil || !strings.Contains(err.Error(), "no skill applies") || s.Transitions == 0 {
		t.Errorf("%d transitions: %v", s.Transitions, err)
	}
	if _, err := bags.Open(dir); err != nil {
		t.Error(err)
	}
}
