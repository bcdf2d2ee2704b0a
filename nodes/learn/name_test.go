package learn

import (
	"fmt"
	"slices"
	"testing"

	"stripswm/models/dataset"
	"stripswm/models/traces"
	"stripswm/models/worlds"
)

// Skills that nobody named have names by role, and those that somebody named keep them.
func TestNamesByRole(t *testing.T) {
	w := worlds.Table(5, 7)
	learned := must(traces.Learn(len(w.Operators),
		[][]traces.Attempt{w.Record(1500, 1, worlds.Noise{})}, traces.Options{}))
	var names []string
	for i := range w.Operators {
		names = append(names, fmt.Sprint("skill_", i))
	}
	for _, given := range [][]string{nil, names} {
		r := &run{Learner: Learner{Labels: given}, result: &Result{
			Recording: &Recording{Data: &dataset.Dataset{Actions: len(w.Operators)}}}}
		r.result.Model = must(learned.Model.Strips(r.labels()))
		r.name()
		label, name := r.result.Label(1), r.result.Model.Operators[0].Name
		if label != name || (given == nil) != (label[:len("take")] == "take") {
			t.Errorf("of %v: label %s, name %s", given, label, name)
		}
		if at := slices.Contains(r.result.Model.Names, "at_item1_place1"); at != (given == nil) {
			t.Errorf("of %v: predicates %v", given, r.result.Model.Names)
		}
	}
}
