package planner_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"stripswm/models/planner"
	"stripswm/models/strips"
)

// goals draws a partial goal over four predicates.
func goals() *rapid.Generator[strips.Goal] {
	return rapid.Custom(func(t *rapid.T) strips.Goal {
		var goal strips.Goal
		for p := range strips.Predicate(4) {
			if v := rapid.IntRange(0, 2).Draw(t, "value"); v < 2 {
				goal = append(goal, strips.Literal{Predicate: p, Negated: v == 0})
			}
		}
		return goal
	})
}

// Every algorithm finds a plan exactly where there is one, counts on what is not certain only where
// there is no other, and finds a shortest one where it says so: to states and to partial goals.
func TestPlansAreShortest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, all := models().Draw(t, "model"), []strips.Goal{goals().Draw(t, "goal")}
		for i := range 16 {
			all = append(all, strips.GoalOf(state(i)))
		}
		start := state(rapid.IntRange(0, 15).Draw(t, "start"))
		p, err := planner.New(m)
		if err != nil {
			t.Fatal(err)
		}
		certain, any := distances(m, start, false), distances(m, start, true)
		for _, goal := range all {
			for _, with := range []planner.Algorithm{
				planner.BreadthFirst, planner.LandmarkCut, planner.Greedy} {
				r, err := p.FindGoal(t.Context(), start, goal, with, planner.Limits{})
				if err != nil {
					t.Fatal(err)
				}
				want := best(certain, goal)
				without := want >= 0
				if !without {
					want = best(any, goal)
				}
				if (r.Outcome == planner.Found) != (want >= 0) {
					t.Fatalf("algorithm %d: %v, want %g attempts", with, r.Outcome, want)
				}
				if r.Outcome != planner.Found {
					continue
				}
				if math.Abs(cost(r)-want) > 1e-9 || !r.Shortest || (len(r.Uncertain) == 0) != without {
					t.Fatalf("algorithm %d: %g attempts (%v uncertain), want %g; shortest: %t", with, cost(r),
						r.Uncertain, want, r.Shortest)
				}
				if d := len(r.Plan); len(r.States) != d+1 || r.States[0] != start ||
					!goal.Holds(r.States[d]) {
					t.Fatalf("states %v", r.States)
				}
			}
		}
	})
}

// best is the least distance to a state of the goal, -1 where there is none.
func best(distances map[strips.State]float64, goal strips.Goal) float64 {
	least := -1.0
	for s, d := range distances {
		if goal.Holds(s) && (least < 0 || d < least) {
			least = d
		}
	}
	return least
}

func TestGreedyLimits(t *testing.T) {
	p, err := planner.New(counter(12))
	if err != nil {
		t.Fatal(err)
	}
	goal := strips.Goal{{Predicate: 11}}
	start, limits := strips.NewState(12), planner.Limits{States: 100}
	r, err := p.FindGoal(t.Context(), start, goal, planner.Greedy, limits)
	if err != nil || r.Outcome != planner.LimitReached || r.Shortest {
		t.Errorf("%v, %v", r.Outcome, err)
	}
	bad := strips.Goal{{Predicate: 1}, {Predicate: 1, Negated: true}}
	if _, err := p.FindGoal(t.Context(), start, bad, planner.Greedy, limits); err == nil {
		t.Error("a contradictory goal is searched for")
	}
}
