package pddl

import (
	"fmt"
	"math/rand/v2"

	"stripswm/models/strips"
	"stripswm/models/traces"
	"stripswm/models/worlds"
)

// A source gives a model, and a vector of its predicates to start from.
type source func() (*strips.Model, strips.State)

// learned is what is learned of a world from random attempts.
func learned(w *worlds.World, attempts int) source {
	return func() (*strips.Model, strips.State) {
		recording := [][]traces.Attempt{w.Record(attempts, 1, worlds.Noise{})}
		r := must(traces.Learn(len(w.Operators), recording, traces.Options{}))
		var names []string
		for _, o := range w.Operators {
			names = append(names, o.Name)
		}
		return must(r.Model.Strips(names)), r.State(0)
	}
}

// lamps are in a ring. A button toggles its lamp and the next one, a switch its lamp alone if the
// next one is on.
func lamps(n int) source {
	return func() (*strips.Model, strips.State) {
		m := &strips.Model{Predicates: n}
		for i := range n {
			lamp, next := strips.Predicate(i), strips.Predicate((i+1)%n)
			m.Operators = append(m.Operators,
				strips.Operator{Action: strips.ActionID(2*i + 1), Name: fmt.Sprint("button_", i),
					Toggle: []strips.Predicate{min(lamp, next), max(lamp, next)}},
				strips.Operator{Action: strips.ActionID(2*i + 2), Name: fmt.Sprint("switch_", i),
					PrePos: []strips.Predicate{next}, Toggle: []strips.Predicate{lamp}})
		}
		return m, strips.NewState(n, 0)
	}
}

// nodes gives a model states of a random walk as nodes.
func (of source) nodes(n int) *strips.Model {
	m, s := of()
	rng := rand.New(rand.NewPCG(1, 1))
	m.States = nil
	for node := range n {
		for range 50 {
			var next []strips.State
			for a := range strips.ActionID(m.Actions()) {
				if to, applies := m.Successor(s, a+1); applies {
					next = append(next, to)
				}
			}
			s = next[rng.IntN(len(next))]
		}
		m.States = append(m.States, strips.Known{Node: strips.StateID(node), Code: s})
	}
	return m
}

// must is for what fails in no test.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
