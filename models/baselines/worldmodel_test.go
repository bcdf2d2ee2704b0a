package baselines

import (
	"fmt"
	"slices"
	"testing"

	onnx "github.com/gomlx/compute-onnx/support/protos"
	"pgregory.net/rapid"

	"stripswm/models/identity"
	"stripswm/models/inference"
	"stripswm/models/inference/inferencetest"
	"stripswm/models/pixels"
	"stripswm/models/strips"
)

// brushModel is dynamics made by hand for a space of so many channels: for each an
// action that brightens it by a level, then for each one that darkens it, and one that
// does nothing.
func brushModel(channels int) []byte {
	strokes := make([]float64, (2*channels+1)*channels)
	for c := range channels {
		strokes[c*channels+c], strokes[(channels+c)*channels+c] = 1, -1
	}
	return inferencetest.Dynamics(channels, 2*channels+1,
		[]*onnx.NodeProto{inferencetest.Node("Add", inference.OutputName, inference.CodeName,
			"strokes")},
		inferencetest.Floats("strokes", []int64{int64(2*channels + 1), int64(channels)},
			strokes...))
}

// brush plans with them.
func brush() *WorldModel {
	return must(NewWorldModel(colourCoder(),
		must(inference.OpenDynamics(brushModel(3), inference.Options{}))))
}

func newModel(t testing.TB) *WorldModel {
	t.Helper()
	m := brush()
	t.Cleanup(func() { m.Close() })
	return m
}

// shade is an image of a code.
func shade(code identity.Code) pixels.RGB {
	level := func(i int) uint8 { return [...]uint8{0, 128, 255}[code[i]-'0'] }
	return colour(level(0), level(1), level(2))
}

// paintCode does what brushModel does, on the digits.
func paintCode(code identity.Code, plan []strips.ActionID) identity.Code {
	digits := []byte(code)
	for _, a := range plan {
		switch {
		case a <= 3:
			digits[a-1] = min(digits[a-1]+1, '2')
		case a <= 6:
			digits[a-4] = max(digits[a-4]-1, '0')
		}
	}
	return identity.Code(digits)
}

// TestWorldModelReachesImaginedGoal: here a shortest plan is one action a level,
// and what is imagined is what happens.
func TestWorldModelReachesImaginedGoal(t *testing.T) {
	m := newModel(t)
	code := rapid.Map(rapid.StringMatching("[012]{3}"),
		func(s string) identity.Code { return identity.Code(s) })
	rapid.Check(t, func(t *rapid.T) {
		from, to := code.Draw(t, "from"), code.Draw(t, "to")
		shortest := 0
		for i := range from {
			shortest += max(int(from[i])-int(to[i]), int(to[i])-int(from[i]))
		}
		plan, found, err := m.Search(shade(from), shade(to))
		if err != nil || !found || len(plan) != shortest || paintCode(from, plan) != to {
			t.Fatalf("search: %v, %v, %v: want %d actions that lead there", plan, found, err,
				shortest)
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
	model := inferencetest.Dynamics(3, 2,
		[]*onnx.NodeProto{inferencetest.Node("Add", inference.OutputName, inference.CodeName,
			"nothing")},
		inferencetest.Floats("nothing", []int64{2, 3}, make([]float64, 6)...))
	network, err := inference.OpenDynamics(model, inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewWorldModel(colourCoder(), network)
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
	wide, err := inference.OpenDynamics(brushModel(4), inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer wide.Close()
	if _, err := NewWorldModel(m.Coder, wide); err == nil {
		t.Error("dynamics of 4 dimensions were accepted for codes of 3")
	}
}

func ExampleWorldModel_Search() {
	m := brush()
	defer m.Close()
	plan, found, err := m.Search(black, yellow)
	fmt.Println(found, plan, err)
	// Output: true [1 1 2 2] <nil>
}
