package traces_test

import (
	"slices"
	"testing"

	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/models/traces"
	"stripswm/models/worlds"
)

// A false precondition blocks a goal: it is the first to try, and an interval decides.
func TestTries(t *testing.T) {
	w := worlds.Table(3, 4)
	r := checked(t, w, w.Record(1500, 1, worlds.Noise{}))
	m, err := r.Model.Strips(nil)
	if err != nil {
		t.Fatal(err)
	}
	const action = 1 + 3*4 + 3 // place object 0 at place 3
	op := &m.Operators[action-1]
	goal := strips.Goal{{Predicate: op.Add[0]}}
	for p := range strips.Predicate(m.Predicates) { // what no start and action makes true
		if !slices.Contains(op.PrePos, p) && !slices.Contains(op.PreNeg, p) {
			m.Names = append(m.Names, "never")
			m.Predicates++
			op.PrePos = append(slices.Clone(op.PrePos), strips.Predicate(m.Predicates-1))
			break
		}
	}
	p, err := planner.New(m)
	if err != nil {
		t.Fatal(err)
	}
	start := strips.StateOf(append(r.State(0).Bools(), false))
	found, err := p.FindGoal(t.Context(), start, goal, planner.BreadthFirst, planner.Limits{})
	if err != nil || found.Outcome != planner.Unsolvable {
		t.Fatalf("%v, %v", found.Outcome, err)
	}
	o, err := p.Explain(start, goal, found.Outcome)
	if err != nil || o.Goal != 1 || !o.Proved {
		t.Fatalf("%+v, %v", o, err)
	}
	tries, untested := r.Tries(o)
	never := strips.Predicate(m.Predicates - 1)
	if len(tries) != 1 || tries[0].Action != action || tries[0].Predicate != never ||
		len(untested) > 0 {
		t.Errorf("%+v, %v", tries, untested)
	}

	// A real precondition has evidence, and was refused where it does not hold.
	held := traces.Literal{Predicate: r.Model.Operators[action-1].PrePos[0]}
	tries, _ = r.Tries(planner.Obstacles{Literals: []planner.Obstacle{{Literal: goal[0],
		Setters: []planner.Setter{{Action: action, Missing: []traces.Literal{held}}}}}})
	if len(tries) != 1 || tries[0].Nats == 0 && !tries[0].Changes ||
		!slices.Equal(tries[0].Sets, goal) {
		t.Errorf("%+v", tries)
	}
}

func TestRisks(t *testing.T) {
	r := &traces.Result{Report: traces.Report{Actions: []traces.ActionReport{{
		Undecided: []traces.Undecided{{Literal: traces.Literal{Predicate: 1}, Interval: 7}},
		Unseen:    []traces.Literal{{Predicate: 0, Negated: true}},
	}}}}
	one, two := strips.NewState(2, 0), strips.NewState(2, 1)
	risks := r.Risks([]strips.ActionID{1, 1}, []strips.State{one, two, two})
	if len(risks) != 2 || risks[0].Interval != 7 || risks[1].Interval != -1 || risks[1].Step != 0 {
		t.Errorf("%+v", risks)
	}
}
