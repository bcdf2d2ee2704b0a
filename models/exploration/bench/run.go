package main

import (
	"context"
	"math/rand/v2"
	"time"

	"gonum.org/v1/plot/plotter"

	"stripswm/models/exploration"
	"stripswm/models/strips"
	"stripswm/models/traces"
	"stripswm/models/worlds"
)

const (
	target  = 0.95
	queries = 100
	enough  = 6    // failures of plans, after which the target is missed
	step    = 1.03 // factor of robot time between two measurements
)

// run is what a policy needed.
type run struct {
	succeeded, refused int
	seconds            float64
	reached            bool
	expected           float64 // share of plans that the explorer expected
	cpu                float64 // seconds of choosing and learning
	curve              curve   // percent of plans by robot time
}

// policy chooses attempts and is told what became of them.
type policy interface {
	next(at worlds.State) (strips.ActionID, error)
	observe(a strips.ActionID, o traces.Outcome, seconds float64) error
	expected() (float64, error)
}

// explore runs a policy until the target is reached or the time is over. It tries so many plans
// that fail at each measurement.
func explore(w *worlds.World, name string, seed uint64, limit float64, failures int) (run, error) {
	var r run
	p, err := newPolicy(w, name, seed)
	if err != nil {
		return r, err
	}
	var trace []traces.Attempt
	at, next := w.Start, 500.0
	for r.seconds < limit {
		began := time.Now()
		a, err := p.next(at)
		if err != nil {
			return r, err
		}
		t, seconds := try(w, &at, a)
		if t.Outcome == traces.Succeeded {
			r.succeeded++
		} else {
			r.refused++
		}
		r.seconds += seconds
		trace = append(trace, t)
		if err := p.observe(a, t.Outcome, seconds); err != nil {
			return r, err
		}
		r.cpu += time.Since(began).Seconds()
		if r.seconds < next {
			continue
		}
		next = r.seconds * step
		share, err := plans(w, trace, seed, failures)
		if err != nil {
			return r, err
		}
		r.curve = append(r.curve, plotter.XY{X: r.seconds / 1000, Y: 100 * share})
		if share >= target {
			r.reached = true
			r.expected, err = p.expected()
			return r, err
		}
	}
	return r, nil
}

// try attempts a skill, and says what came of it and how many seconds it took.
func try(w *worlds.World, at *worlds.State, a strips.ActionID) (traces.Attempt, float64) {
	if o := &w.Operators[a-1]; o.Applies(*at) {
		*at = o.Apply(*at)
		return traces.Attempt{Action: a, Outcome: traces.Succeeded}, exploration.SuccessSeconds
	}
	return traces.Attempt{Action: a, Outcome: traces.Refused}, refusalSeconds
}

// plans is the share of plans between random states that lead to the goal. It plans no more after
// so many failures.
func plans(w *worlds.World, trace []traces.Attempt, seed uint64, failures int) (float64, error) {
	r, err := traces.Learn(len(w.Operators), [][]traces.Attempt{trace}, traces.Options{})
	if err != nil {
		return 0, err
	}
	return w.Plans(r.Model.Operators, r.State(0), queries, failures, seed)
}

// drawn draws skills; with an oracle nine times in ten one that applies.
type drawn struct {
	world  *worlds.World
	oracle bool
	rng    *rand.Rand
}

func newPolicy(w *worlds.World, name string, seed uint64) (policy, error) {
	if name == "informed" {
		e, err := exploration.New(len(w.Operators), exploration.Options{Seed: seed})
		return informed{e}, err
	}
	return drawn{w, name == "oracle", rand.New(rand.NewPCG(seed, 0xd2a3))}, nil
}

func (d drawn) next(at worlds.State) (strips.ActionID, error) {
	if !d.oracle {
		return strips.ActionID(1 + d.rng.IntN(len(d.world.Operators))), nil
	}
	apply := d.rng.Float64() < 0.9
	for {
		a := d.rng.IntN(len(d.world.Operators))
		if d.world.Operators[a].Applies(at) == apply {
			return strips.ActionID(a + 1), nil
		}
	}
}

func (drawn) observe(strips.ActionID, traces.Outcome, float64) error { return nil }
func (drawn) expected() (float64, error)                             { return 0, nil }

type informed struct{ e *exploration.Explorer }

func (i informed) next(worlds.State) (strips.ActionID, error) {
	c, err := i.e.Next()
	return c.Action, err
}

func (i informed) observe(a strips.ActionID, o traces.Outcome, seconds float64) error {
	return i.e.Observe(a, o, seconds)
}

func (i informed) expected() (float64, error) {
	x, err := i.e.Expect(context.Background(), nil)
	return x.Success, err
}
