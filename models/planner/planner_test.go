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

// models draws small models with exceptions.
func models() *rapid.Generator[*strips.Model] {
	return rapid.Custom(func(t *rapid.T) *strips.Model {
		m := &strips.Model{Predicates: 4}
		for a := range 5 {
			op := strips.Operator{Action: strips.ActionID(a + 1), Name: fmt.Sprint("a", a+1)}
			for p := range strips.Predicate(4) {
				switch rapid.IntRange(0, 4).Draw(t, "precondition") {
				case 0:
					op.PrePos = append(op.PrePos, p)
				case 1:
					op.PreNeg = append(op.PreNeg, p)
				}
				switch rapid.IntRange(0, 4).Draw(t, "effect") {
				case 0:
					op.Add = append(op.Add, p)
				case 1:
					op.Del = append(op.Del, p)
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
		return m
	})
}

func state(i int) strips.State {
	return strips.StateOf([]bool{i&1 > 0, i&2 > 0, i&4 > 0, i&8 > 0})
}

// distances is Bellman-Ford over all sixteen states.
func distances(m *strips.Model, start strips.State) map[strips.State]int {
	d := map[strips.State]int{start: 0}
	for range 16 {
		for i := range 16 {
			from, ok := d[state(i)]
			if !ok {
				continue
			}
			for a := range m.Operators {
				if next, ok := m.Successor(state(i), strips.ActionID(a+1)); ok {
					if old, seen := d[next]; !seen || from+1 < old {
						d[next] = from + 1
					}
				}
			}
		}
	}
	return d
}

func TestPlansAreShortest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := models().Draw(t, "model")
		p, err := planner.New(m)
		if err != nil {
			t.Fatal(err)
		}
		start := state(rapid.IntRange(0, 15).Draw(t, "start"))
		want := distances(m, start)
		for i := range 16 {
			for _, with := range []planner.Algorithm{planner.BreadthFirst, planner.AStar} {
				r, err := p.Find(context.Background(), start, state(i), with, planner.Limits{})
				if err != nil {
					t.Fatal(err)
				}
				d, reachable := want[state(i)]
				if (r.Outcome == planner.Found) != reachable || reachable && len(r.Plan) != d {
					t.Fatalf("algorithm %d to %v: %v with %d steps, want %d (%t)", with, state(i), r.Outcome, len(r.Plan), d, reachable)
				}
				if reachable && (len(r.States) != d+1 || r.States[0] != start || r.States[d] != state(i)) {
					t.Fatalf("states %v", r.States)
				}
			}
		}
	})
}

// counter counts in binary: 2^m states on one path.
func counter(m int) *strips.Model {
	model := &strips.Model{Predicates: m}
	for i := range m {
		op := strips.Operator{Action: strips.ActionID(i + 1), Name: fmt.Sprint("carry", i), PreNeg: []strips.Predicate{strips.Predicate(i)}}
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
			return p.Find(context.Background(), strips.NewState(40), strips.StateOf(full), planner.BreadthFirst, planner.Limits{States: 100})
		},
		"time": func() (planner.Result, error) {
			return p.Find(context.Background(), strips.NewState(40), strips.StateOf(full), planner.AStar, planner.Limits{Time: time.Millisecond})
		},
		"canceled": func() (planner.Result, error) {
			return p.Find(canceled, strips.NewState(40), strips.StateOf(full), planner.BreadthFirst, planner.Limits{})
		},
	} {
		if r, err := find(); err != nil || r.Outcome != planner.LimitReached {
			t.Errorf("%s: %v, %v", name, r.Outcome, err)
		}
	}
}

func TestFindRefusesOtherLengths(t *testing.T) {
	p, err := planner.New(counter(3))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Find(context.Background(), strips.NewState(2), strips.NewState(3), planner.AStar, planner.Limits{}); !errors.Is(err, planner.ErrLength) {
		t.Errorf("got %v", err)
	}
}

func TestLocate(t *testing.T) {
	m := counter(3)
	m.States = []strips.Known{{Node: 4, Code: strips.NewState(3)}, {Node: 7, Code: strips.NewState(3)}, {Node: 9, Code: strips.NewState(3, 0, 1)}}
	if at := planner.Locate(m, strips.NewState(3)); !at.Known() || len(at.Nodes) != 2 || at.Distance != 0 {
		t.Errorf("known: %+v", at)
	}
	if at := planner.Locate(m, strips.NewState(3, 1)); at.Known() || at.Distance != 1 || len(at.Nearest) != 2 {
		t.Errorf("unknown: %+v", at)
	}
}

func BenchmarkCounter(b *testing.B) {
	p, err := planner.New(counter(12))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := p.Find(context.Background(), strips.NewState(12), strips.NewState(12, 11), planner.BreadthFirst, planner.Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}

func ExamplePlanner_Find() {
	p, _ := planner.New(counter(2)) // counts 00, 10, 01, 11
	r, _ := p.Find(context.Background(), strips.NewState(2), strips.NewState(2, 0, 1), planner.BreadthFirst, planner.Limits{})
	fmt.Println(r.Outcome, r.Plan, r.States)
	// Output: found [1 2 1] [00 10 01 11]
}
