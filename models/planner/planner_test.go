package planner_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"stripswm/models/planner"
	"stripswm/models/strips"
)

// models draws small models with variants, toggles, exceptions, nondeterministic outcomes and
// untried pairs.
func models() *rapid.Generator[*strips.Model] {
	return rapid.Custom(func(t *rapid.T) *strips.Model {
		m := &strips.Model{Predicates: 4}
		for _, a := range []int{1, 2, 3, 3, 4, 5, 5} {
			op := strips.Operator{Action: strips.ActionID(a), Name: fmt.Sprint("a", a)}
			for p := range strips.Predicate(4) {
				switch rapid.IntRange(0, 4).Draw(t, "precondition") {
				case 0:
					op.PrePos = append(op.PrePos, p)
				case 1:
					op.PreNeg = append(op.PreNeg, p)
				}
				switch rapid.IntRange(0, 5).Draw(t, "effect") {
				case 0:
					op.Add = append(op.Add, p)
				case 1:
					op.Del = append(op.Del, p)
				case 2:
					op.Toggle = append(op.Toggle, p)
				}
			}
			m.Operators = append(m.Operators, op)
		}
		for i := range 16 {
			m.States = append(m.States, strips.Known{Node: strips.StateID(i), Code: state(i)})
		}
		for range rapid.IntRange(0, 6).Draw(t, "exceptions") {
			m.Exceptions = append(m.Exceptions, strips.Exception{
				Node:   strips.StateID(rapid.IntRange(0, 15).Draw(t, "node")),
				Action: strips.ActionID(rapid.IntRange(1, 5).Draw(t, "action")),
			})
		}
		for i := range 16 {
			if rapid.IntRange(0, 3).Draw(t, "nondeterministic outcome") > 0 {
				continue
			}
			c := strips.Nondeterminism{Node: strips.StateID(i),
				Action: strips.ActionID(rapid.IntRange(1, 5).Draw(t, "action"))}
			for j := rapid.IntRange(0, 6).Draw(t, "first"); j < 16; j += rapid.IntRange(1, 8).Draw(t, "on") {
				c.Outcomes = append(c.Outcomes, strips.Outcome{Target: strips.StateID(j),
					Count: rapid.IntRange(1, 9).Draw(t, "count")})
			}
			if len(c.Outcomes) > 1 {
				m.Nondeterministic = append(m.Nondeterministic, c)
			} else if _, applies := m.Predict(state(i), c.Action); applies {
				m.Untried = append(m.Untried, strips.Untried{Node: c.Node, Action: c.Action})
			}
		}
		return m
	})
}

func state(i int) strips.State {
	return strips.StateOf([]bool{i&1 > 0, i&2 > 0, i&4 > 0, i&8 > 0})
}

// distances is Bellman-Ford over all sixteen states, counting on nondeterministic outcomes or not.
func distances(m *strips.Model, start strips.State,
	nondeterministic bool,
) map[strips.State]float64 {
	d := map[strips.State]float64{start: 0}
	excepted := map[strips.Exception]bool{}
	for _, e := range m.Exceptions {
		excepted[e] = true
	}
	for range 16 {
		for i := range 16 {
			from, ok := d[state(i)]
			if !ok {
				continue
			}
			reach := func(next strips.State, attempts float64) {
				if old, seen := d[next]; !seen || from+attempts < old {
					d[next] = from + attempts
				}
			}
			for a := range m.Actions() {
				if next, ok := m.Successor(state(i), strips.ActionID(a+1)); ok {
					reach(next, 1)
				}
			}
			for _, c := range m.Nondeterministic {
				if !nondeterministic || int(c.Node) != i ||
					excepted[strips.Exception{Node: c.Node, Action: c.Action}] {
					continue
				}
				for _, o := range c.Outcomes {
					reach(state(int(o.Target)), float64(c.Total())/float64(o.Count))
				}
			}
			for _, u := range m.Untried {
				if nondeterministic && int(u.Node) == i &&
					!excepted[strips.Exception{Node: u.Node, Action: u.Action}] {
					next, _ := m.Predict(state(i), u.Action)
					reach(next, 2)
				}
			}
		}
	}
	return d
}

// cost is the expected attempts of a plan.
func cost(r planner.Result) float64 {
	n := float64(len(r.Plan) - len(r.Uncertain))
	for _, c := range r.Uncertain {
		if c.Seen == 0 {
			n += 2
			continue
		}
		n += float64(c.Seen) / float64(c.Wanted)
	}
	return n
}

// counter counts in binary: 2^m states on one path.
func counter(m int) *strips.Model {
	model := &strips.Model{Predicates: m}
	for i := range m {
		op := strips.Operator{Action: strips.ActionID(i + 1), Name: fmt.Sprint("carry", i),
			PreNeg: []strips.Predicate{strips.Predicate(i)}}
		for j := range i {
			op.PrePos = append(op.PrePos, strips.Predicate(j))
			op.Del = append(op.Del, strips.Predicate(j))
		}
		op.Add = []strips.Predicate{strips.Predicate(i)}
		model.Operators = append(model.Operators, op)
	}
	return model
}

func TestLimits(t *testing.T) {
	p, err := planner.New(counter(40))
	if err != nil {
		t.Fatal(err)
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	full := make([]bool, 40)
	full[39] = true
	for name, find := range map[string]func() (planner.Result, error){
		"states": func() (planner.Result, error) {
			return p.Find(context.Background(), strips.NewState(40), strips.StateOf(full),
				planner.BreadthFirst, planner.Limits{States: 100})
		},
		"time": func() (planner.Result, error) {
			return p.Find(context.Background(), strips.NewState(40), strips.StateOf(full),
				planner.LandmarkCut, planner.Limits{Time: time.Millisecond})
		},
		"canceled": func() (planner.Result, error) {
			return p.Find(canceled, strips.NewState(40), strips.StateOf(full), planner.BreadthFirst,
				planner.Limits{})
		},
	} {
		if r, err := find(); err != nil || r.Outcome != planner.LimitReached {
			t.Errorf("%s: %v, %v", name, r.Outcome, err)
		}
	}
}

// A door that opens in three of ten attempts is gone through only where there is
// no way round it.
func TestUncertainStepsAreAvoided(t *testing.T) {
	node := func(i int) strips.Known { return strips.Known{Node: strips.StateID(i), Code: state(i)} }
	p := func(p ...strips.Predicate) []strips.Predicate { return p }
	m := &strips.Model{
		Predicates: 4,
		Operators: []strips.Operator{
			{Action: 1, Name: "door", PrePos: p(3), Add: p(0)}, // elsewhere
			{Action: 2, Name: "round", PreNeg: p(0, 1, 2, 3), Add: p(1)},
			{Action: 3, Name: "in", PrePos: p(1), Add: p(0), Del: p(1)},
			{Action: 4, Name: "window", PreNeg: p(0, 1, 2, 3), Add: p(0)},
		},
		States: []strips.Known{node(0), node(1), node(2)},
		Nondeterministic: []strips.Nondeterminism{
			{Node: 0, Action: 1, Outcomes: []strips.Outcome{{Target: 0, Count: 7}, {Target: 1, Count: 3}}}},
	}
	const door, round, window = strips.ActionID(1), strips.ActionID(2), strips.ActionID(4)
	refuse := func(actions ...strips.ActionID) (list []strips.Exception) {
		for _, a := range actions {
			list = append(list, strips.Exception{Node: 0, Action: a})
		}
		return list
	}
	untried := []strips.Untried{{Node: 0, Action: window}}
	for name, c := range map[string]struct {
		exceptions       []strips.Exception
		untried          []strips.Untried
		plan             string
		nondeterministic string
	}{
		"a way round":  {refuse(window), nil, "[2 3]", "[]"},
		"no way round": {refuse(round, window), nil, "[1]", "[step 1: 3 of 10 attempts]"},
		"no way":       {refuse(door, round, window), nil, "[]", "[]"},
		"shared exception": {append(refuse(round, window), strips.Exception{Node: 0, Action: door,
			Shared: true}), nil, "[1]", "[step 1: 3 of 10 attempts]"},
		"untried, avoided":  {nil, untried, "[2 3]", "[]"},
		"untried, likelier": {refuse(round), untried, "[4]", "[step 1: never tried there]"},
		"untried, alone":    {refuse(door, round), untried, "[4]", "[step 1: never tried there]"},
		"untried, refused":  {refuse(door, round, window), untried, "[]", "[]"},
	} {
		m.Exceptions, m.Untried = c.exceptions, c.untried
		find, err := planner.New(m)
		if err != nil {
			t.Fatal(err)
		}
		r, err := find.Find(context.Background(), state(0), state(1), planner.BreadthFirst,
			planner.Limits{})
		if err != nil || fmt.Sprint(r.Plan) != c.plan || fmt.Sprint(r.Uncertain) != c.nondeterministic {
			t.Errorf("%s: %v with %v nondeterministic, %v", name, r.Plan, r.Uncertain, err)
		}
	}
}

func TestFindRefusesOtherLengths(t *testing.T) {
	p, err := planner.New(counter(3))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Find(context.Background(), strips.NewState(2), strips.NewState(3),
		planner.LandmarkCut, planner.Limits{}); !errors.Is(err, planner.ErrLength) {
		t.Errorf("got %v", err)
	}
}

func TestLocate(t *testing.T) {
	m := counter(3)
	m.States = []strips.Known{{Node: 4, Code: strips.NewState(3)}, {Node: 7, Code: strips.NewState(3)},
		{Node: 9, Code: strips.NewState(3, 0, 1)}}
	if at := planner.Locate(m, strips.NewState(3)); !at.Known() || len(at.Nodes) != 2 ||
		at.Distance != 0 {
		t.Errorf("known: %+v", at)
	}
	if at := planner.Locate(m, strips.NewState(3, 1)); at.Known() || at.Distance != 1 ||
		len(at.Nearest) != 2 {
		t.Errorf("unknown: %+v", at)
	}
}

func TestAliased(t *testing.T) {
	m := counter(3)
	one, two := strips.NewState(3, 0), strips.NewState(3, 1)
	m.States = []strips.Known{{Node: 4, Code: one}, {Node: 7, Code: two}, {Node: 9, Code: two}}
	for _, c := range []struct {
		start, goal strips.State
		want        int
	}{{one, one, 0}, {one, two, 0}, {two, two, 2}, {strips.NewState(3), strips.NewState(3), 0}} {
		if nodes := planner.Indistinct(m, c.start, strips.GoalOf(c.goal)); len(nodes) != c.want {
			t.Errorf("%v and %v: nodes %v, want %d", c.start, c.goal, nodes, c.want)
		}
	}
}

func ExamplePlanner_Find() {
	p, _ := planner.New(counter(2)) // counts 00, 10, 01, 11
	r, _ := p.Find(context.Background(), strips.NewState(2), strips.NewState(2, 0, 1),
		planner.BreadthFirst, planner.Limits{})
	fmt.Println(r.Outcome, r.Plan, r.States)
	// Output: found [1 2 1] [00 10 01 11]
}
