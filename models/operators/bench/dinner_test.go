package main

import (
	"testing"

	"stripswm/models/operators"
	"stripswm/models/operators/check"
)

// The whole DinnerTable has 445,200 separation constraints.
func TestLearnsTheWholeDinnerTable(t *testing.T) {
	g := dinnerTable()
	r, err := operators.Learn(t.Context(), g, operators.Options{Work: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, faults := check.Model(g, check.AllMissing(g), r.Model); len(faults) > 0 {
		t.Error(faults[0])
	}
	if s := r.Report; s.Eta != 0 || s.SeparationConstraints != 445200 || s.DistinctCodes != 6720 ||
		!s.Proved.Eta {
		t.Errorf("%+v", s)
	}
}
