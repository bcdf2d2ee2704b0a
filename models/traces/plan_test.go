package traces_test

import (
	"slices"
	"testing"

	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/models/worlds"
)

// Ten objects, twelve places: a billion states, of which the recording has a few thousand. Plans
// lead to the goal in the world, and two objects at one place are proved to be impossible.
func TestPlansInALargeWorld(t *testing.T) {
	w := worlds.Table(10, 12)
	r := learn(t, w, w.Record(20_000, 1, worlds.Noise{}))
	m, err := r.Model.Strips(nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := planner.New(m)
	if err != nil {
		t.Fatal(err)
	}
	place := func(o, at int) strips.ActionID { return strips.ActionID(1 + 120 + 12*o + at) }
	at := func(o, at int) strips.Literal { // the fact that only this action adds
		for i, q := range r.Model.Predicates {
			if q.Members == nil && slices.Equal(q.Add, []strips.ActionID{place(o, at)}) {
				return strips.Literal{Predicate: strips.Predicate(i)}
			}
		}
		t.Fatalf("object %d at place %d has no fact", o, at)
		return strips.Literal{}
	}
	start := r.State(0)
	var turned, swapped strips.Goal // objects begin at the places of their numbers
	for o := range 10 {
		turned = append(turned, at(o, (o+5)%10))
	}
	swapped = append(swapped, at(0, 1), at(1, 0))
	for _, c := range []struct {
		goal     strips.Goal
		shortest int
	}{{turned, 30}, {swapped, 6}} {
		found, err := p.FindGoal(t.Context(), start, c.goal, planner.Greedy, planner.Limits{})
		if err != nil || found.Outcome != planner.Found {
			t.Fatalf("%v, %v", found.Outcome, err)
		}
		t.Logf("%d steps in %v, %d states expanded", len(found.Plan), found.Elapsed, found.Expanded)
		if n := len(found.Plan); n < c.shortest || n > c.shortest+c.shortest/5 {
			t.Errorf("%d steps, the shortest plan has %d", n, c.shortest)
		}
		x := w.Start
		for i, a := range found.Plan {
			if o := &w.Operators[a-1]; !o.Applies(x) {
				t.Fatalf("step %d: %s does not apply", i+1, o.Name)
			} else {
				x = o.Apply(x)
			}
		}
	}
	both := strips.Goal{at(0, 11), at(1, 11)}
	limits := planner.Limits{States: 1000}
	found, err := p.FindGoal(t.Context(), start, both, planner.Greedy, limits)
	if err != nil || found.Outcome == planner.Found {
		t.Fatalf("%v, %v", found.Outcome, err)
	}
	o, err := p.Explain(start, both, found.Outcome)
	if err != nil || !o.Proved || len(o.Exclusive) != 1 {
		t.Errorf("%+v, %v", o, err)
	}
}
