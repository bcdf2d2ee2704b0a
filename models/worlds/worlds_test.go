package worlds

import (
	"testing"

	"stripswm/models/strips"
	"stripswm/models/traces"
)

func TestStates(t *testing.T) {
	for _, c := range []struct {
		world           *World
		states, actions int
	}{
		{Table(5, 7), 6720, 70}, {Blocks(), 16, 18}, {Hanoi(4), 81, 24}, {KeyDoor(), 113, 36},
		{Puzzle(2, 3), 360, 70}, {Vehicles(2, 5, 3), 8575, 100}, {Kitchen(4, 3, 2), 9000, 46},
		{Gripper(4, 3), 1215, 52},
	} {
		states, _, _ := c.world.States()
		if len(states) != c.states || len(c.world.Operators) != c.actions {
			t.Errorf("%s: %d states, %d actions", c.world.Name, len(states), len(c.world.Operators))
		}
	}
}

// The world itself as a model has no fault, and one without preconditions has.
func TestCompare(t *testing.T) {
	w := Blocks()
	m, start := w.Model()
	truth := m.Operators
	s, err := w.Compare(truth, start, 20, 1)
	if want := (Score{States: 16, Precision: 1, Recall: 1, Plans: 1}); err != nil || s != want {
		t.Errorf("%+v, %v", s, err)
	}
	for i := range truth {
		truth[i].PrePos, truth[i].PreNeg = nil, nil
	}
	s, err = w.Compare(truth, start, 20, 1)
	if err != nil || s.Precision == 1 || s.Recall != 1 || s.Plans == 1 {
		t.Errorf("without preconditions: %+v", s)
	}
	if _, err := w.Compare(truth, strips.NewState(513), 1, 1); err == nil {
		t.Error("513 predicates are compared")
	}
}

func TestRecord(t *testing.T) {
	counts := map[traces.Outcome]int{}
	for _, a := range Table(3, 4).Record(10_000, 1, Noise{Failures: 0.1}) {
		counts[a.Outcome]++
	}
	for outcome, share := range map[traces.Outcome]float64{
		traces.Refused: 0.1, traces.Failed: 0.09, traces.Succeeded: 0.81} {
		if got := float64(counts[outcome]) / 10_000; got < share-0.01 || got > share+0.01 {
			t.Errorf("outcome %d: %g of the attempts, want %g", outcome, got, share)
		}
	}
}
