package variants

import (
	"testing"

	"stripswm/models/internal/bitset"
	"stripswm/models/taskgraph/fixtures"
)

// Whatever the work, revising ends with variants that are fine: those that are too
// single are taken distinct, and edges without a variant find one.
func TestReviseEndsFine(t *testing.T) {
	g := of(fixtures.Hanoi(3))
	before := ran(newSearch(steps(t, 20), g, false, seeded(0)))
	var known []Known
	all := bitset.New(g.States)
	for s := range g.States {
		all.Set(s)
	}
	for _, x := range before.Regions {
		known = append(known, Known{X: x, States: all})
	}
	single := make([]int, len(g.Edges))
	for e, edge := range g.Edges {
		single[e] = edge.Action
	}
	lost := append([]int(nil), before.Of...)
	for e := range lost {
		if e%5 == 0 {
			lost[e] = -1
		}
	}
	for name, of := range map[string][]int{"as it was": before.Of, "one an action": single,
		"some edges new": lost} {
		for _, millions := range []int64{0, 1, 20} {
			f := Revise(steps(t, millions), g, false, of, known)
			if why := wrong(g, f, false); why != "" {
				t.Errorf("%s, %d million steps: %s", name, millions, why)
			}
			if millions == 20 && name == "as it was" && f.Variants != before.Variants {
				t.Errorf("%s: %d variants, not the %d of before", name, f.Variants, before.Variants)
			}
		}
	}
}
