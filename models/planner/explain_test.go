package planner_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"stripswm/models/planner"
	"stripswm/models/strips"
)

// A door that only a key opens, and a key that nobody brings.
func TestExplain(t *testing.T) {
	const open, key, box, lamp strips.Predicate = 0, 1, 2, 3
	m := &strips.Model{Predicates: 4, Operators: []strips.Operator{
		{Action: 1, Name: "open", PrePos: []strips.Predicate{key}, PreNeg: []strips.Predicate{open},
			Add: []strips.Predicate{open}},
		{Action: 2, Name: "take", PrePos: []strips.Predicate{box}, Add: []strips.Predicate{key}},
		{Action: 3, Name: "light", Toggle: []strips.Predicate{lamp}},
	}}
	p, err := planner.New(m)
	if err != nil {
		t.Fatal(err)
	}
	goal := strips.Goal{{Predicate: lamp}, {Predicate: open}}
	r, err := p.FindGoal(t.Context(), strips.NewState(4), goal, planner.BreadthFirst, planner.Limits{})
	if err != nil || r.Outcome != planner.Unsolvable || r.Expanded > 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	got, err := p.Explain(strips.NewState(4), goal, r.Outcome)
	if err != nil {
		t.Fatal(err)
	}
	literal := func(p strips.Predicate) strips.Literal { return strips.Literal{Predicate: p} }
	needs := func(a strips.ActionID, p strips.Predicate) []planner.Setter {
		return []planner.Setter{{Action: a, Missing: []strips.Literal{literal(p)}}}
	}
	want := planner.Obstacles{Goal: 1, Proved: true, Literals: []planner.Obstacle{
		{Literal: literal(open), Setters: needs(1, key)},
		{Literal: literal(key), Setters: needs(2, box)},
		{Literal: literal(box)},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// What is listed is never reached, every setter misses something, and no plan is explained away.
func TestObstaclesAreObstacles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, goal := models().Draw(t, "model"), goals().Draw(t, "goal")
		m.Nondeterministic, m.Untried = nil, nil
		start := state(rapid.IntRange(0, 15).Draw(t, "start"))
		p, err := planner.New(m)
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.FindGoal(t.Context(), start, goal, planner.Greedy, planner.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		o, err := p.Explain(start, goal, r.Outcome)
		if err != nil {
			t.Fatal(err)
		}
		if r.Outcome == planner.Found && (len(o.Literals) > 0 || o.Proved) {
			t.Errorf("a plan is found, and %+v", o)
		}
		for _, pair := range o.Exclusive {
			for s := range distances(m, start, false) {
				if pair[0].Holds(s) && pair[1].Holds(s) {
					t.Errorf("%v hold together in %v", pair, s)
				}
			}
		}
		for _, l := range o.Literals {
			for s := range distances(m, start, false) {
				if l.Holds(s) {
					t.Errorf("%v is reached in %v", l.Literal, s)
				}
			}
			for _, s := range l.Setters {
				if len(s.Missing) == 0 {
					t.Errorf("%+v misses nothing", s)
				}
			}
		}
	})
}

// Two things at one place: each can be there, and both never, though no state budget shows it.
func TestExclusiveGoals(t *testing.T) {
	m := &strips.Model{Predicates: 3}
	for i, name := range []string{"put", "take"} {
		for o := range 2 {
			at, free := []strips.Predicate{strips.Predicate(o)}, []strips.Predicate{2}
			op := strips.Operator{Action: strips.ActionID(1 + 2*i + o), Name: fmt.Sprint(name, o),
				PrePos: free, Add: at, Del: free}
			if i == 1 {
				op.PrePos, op.Add, op.Del = at, free, at
			}
			m.Operators = append(m.Operators, op)
		}
	}
	p, err := planner.New(m)
	if err != nil {
		t.Fatal(err)
	}
	goal := strips.Goal{{Predicate: 0}, {Predicate: 1}}
	start, limits := strips.NewState(3, 2), planner.Limits{States: 1}
	r, err := p.FindGoal(t.Context(), start, goal, planner.Greedy, limits)
	if err != nil || r.Outcome == planner.Found {
		t.Fatalf("%+v, %v", r, err)
	}
	o, err := p.Explain(start, goal, planner.LimitReached)
	want := [][2]strips.Literal{{goal[0], goal[1]}}
	if err != nil || !o.Proved || len(o.Literals) > 0 || !cmp.Equal(o.Exclusive, want) {
		t.Errorf("%+v, %v", o, err)
	}
}
