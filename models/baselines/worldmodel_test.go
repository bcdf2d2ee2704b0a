package baselines

import (
	"fmt"
	"slices"
	"testing"

	onnx "github.com/gomlx/compute-onnx/support/protos"
	"pgregory.net/rapid"

	"stripswm/models/inference"
	"stripswm/models/inference/inferencetest"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/vision"
)

// brushModel is dynamics made by hand: actions 1 to 3 brighten a channel by a level,
// 4 to 6 darken it, and 7 does nothing.
func brushModel(t testing.TB) []byte {
	t.Helper()
	model, err := inferencetest.Dynamics(3, 7, []*onnx.NodeProto{inferencetest.Node("Add", inference.OutputName, inference.CodeName, "strokes")},
		inferencetest.Floats("strokes", []int64{7, 3}, 1, 0, 0, 0, 1, 0, 0, 0, 1, -1, 0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0))
	if err != nil {
		t.Fatal(err)
	}
	return model
}

func newModel(t testing.TB) *WorldModel {
	t.Helper()
	network, err := inference.OpenDynamics(brushModel(t), inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewWorldModel(colourEncoder(t), network, three)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

// shade is a picture of a code.
func shade(code vision.Code) pixels.RGB {
	level := func(i int) uint8 { return [...]uint8{0, 128, 255}[code[i]-'0'] }
	return colour(level(0), level(1), level(2))
}

// paintCode does what brushModel does, on the digits.
func paintCode(code vision.Code, plan []strips.ActionID) vision.Code {
	digits := []byte(code)
	for _, a := range plan {
		switch {
		case a <= 3:
			digits[a-1] = min(digits[a-1]+1, '2')
		case a <= 6:
			digits[a-4] = max(digits[a-4]-1, '0')
		}
	}
	return vision.Code(digits)
}

// TestWorldModelReachesWhatItImagines: here a shortest plan is one action a level,
// and what is imagined is what happens.
func TestWorldModelReachesWhatItImagines(t *testing.T) {
	m := newModel(t)
	code := rapid.Map(rapid.StringMatching("[012]{3}"), func(s string) vision.Code { return vision.Code(s) })
	rapid.Check(t, func(t *rapid.T) {
		from, to := code.Draw(t, "from"), code.Draw(t, "to")
		shortest := 0
		for i := range from {
			shortest += max(int(from[i])-int(to[i]), int(to[i])-int(from[i]))
		}
		plan, found, err := m.Search(shade(from), shade(to))
		if err != nil || !found || len(plan) != shortest || paintCode(from, plan) != to {
			t.Fatalf("search: %v, %v, %v: want %d actions that lead there", plan, found, err, shortest)
		}
		plan, err = m.Rollout(shade(from), shade(to))
		if err != nil || paintCode(from, plan) != to || len(plan) < shortest {
			t.Fatalf("rollout: %v, %v", plan, err)
		}
		again, _ := m.Rollout(shade(from), shade(to))
		if !slices.Equal(plan, again) {
			t.Fatalf("rollout: %v, then %v", plan, again)
		}
	})
}

// TestWorldModelCannotReach has dynamics in which nothing changes.
func TestWorldModelCannotReach(t *testing.T) {
	model, err := inferencetest.Dynamics(3, 2, []*onnx.NodeProto{inferencetest.Node("Add", inference.OutputName, inference.CodeName, "nothing")},
		inferencetest.Floats("nothing", []int64{2, 3}, make([]float64, 6)...))
	if err != nil {
		t.Fatal(err)
	}
	network, err := inference.OpenDynamics(model, inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewWorldModel(colourEncoder(t), network, three)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if plan, found, err := m.Search(black, red); found || err != nil {
		t.Errorf("search: %v, %v, %v", plan, found, err)
	}
	if plan, err := m.Rollout(black, red); len(plan) > 0 || err != nil {
		t.Errorf("rollout: %v, %v: staying is as close and shorter", plan, err)
	}
	if _, err := NewWorldModel(colourEncoder(t), network, vision.FSQ{Levels: 3, Dims: 4}); err == nil {
		t.Error("networks of 3 dimensions were accepted for a latent space of 4")
	}
}

func ExampleWorldModel_Search() {
	t := &testing.T{}
	network, err := inference.OpenDynamics(brushModel(t), inference.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := NewWorldModel(colourEncoder(t), network, three)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer m.Close()
	plan, found, err := m.Search(black, yellow)
	fmt.Println(found, plan, err)
	// Output: true [1 1 2 2] <nil>
}
