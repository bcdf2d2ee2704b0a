package eval

import (
	"context"
	"errors"
	"fmt"

	"stripswm/models/baselines"
	"stripswm/models/bundle"
	"stripswm/models/imageplan"
	"stripswm/models/inference"
	"stripswm/models/planner"
	"stripswm/models/strips"
)

// answer is what a method makes of a query.
type answer struct {
	unrecognized bool // a picture shows nothing that the method knows
	found        bool
	plan         []strips.ActionID
}

// sight is the pictures of a query and STRIPS-WM's answer to it.
type sight struct {
	pictures shot
	result   imageplan.Result
	known    bool // else a picture was not recognised
}

func recognize(ctx context.Context, p *imageplan.Planner, s shot) (sight, error) {
	r, err := p.Plan(ctx, s[0], s[1])
	if errors.Is(err, imageplan.ErrUnrecognized) {
		return sight{s, r, false}, nil
	}
	return sight{s, r, true}, err
}

// method answers queries, and what became of them.
type method struct {
	name     string
	answer   func(context.Context, sight) (answer, error)
	horizons []Horizon
}

// limits of the searches of methods that may reach far more states than STRIPS-WM.
var limits = planner.Limits{States: 200_000}

// addMethods adds STRIPS-WM and those that need nothing new to be learned.
func (e *evaluation) addMethods(b parts) error {
	e.methods = append(e.methods, &method{name: "STRIPS-WM", answer: func(_ context.Context, s sight) (answer, error) {
		return answer{!s.known, s.result.Outcome == planner.Found, s.result.Plan}, nil
	}})
	plain := *e.planner.Model()
	plain.Exceptions = nil
	m, err := symbolic("no exceptions", &plain, func(s strips.State) (strips.State, bool) { return s, true })
	if err != nil {
		return err
	}
	e.methods = append(e.methods, m)
	if b.training == nil || !b.encoder {
		return nil // a bundle put together from parts
	}
	search, err := baselines.OpenGraphSearch(e.planner.Bundle(), b.training.FSQ, inference.Options{})
	if err != nil {
		return err
	}
	e.closers = append(e.closers, search.Close)
	e.methods = append(e.methods, &method{name: "graph search", answer: func(_ context.Context, s sight) (answer, error) {
		r, err := search.Plan(s.pictures[0], s.pictures[1])
		if errors.Is(err, baselines.ErrUnrecognized) {
			return answer{unrecognized: true}, nil
		}
		return answer{found: r.Found, plan: r.Plan}, err
	}})
	return e.addWorldModel(b)
}

// addWorldModel adds the methods that plan with the learned dynamics.
func (e *evaluation) addWorldModel(b parts) error {
	if _, ok := e.planner.Bundle().Part(bundle.Dynamics); !ok {
		return nil
	}
	world, err := baselines.OpenWorldModel(e.planner.Bundle(), b.training.FSQ, inference.Options{})
	if err != nil {
		return err
	}
	e.closers = append(e.closers, world.Close)
	e.methods = append(e.methods, &method{name: "WM-BFS", answer: func(_ context.Context, s sight) (answer, error) {
		plan, found, err := world.Search(s.pictures[0], s.pictures[1])
		return answer{found: found, plan: plan}, err
	}}, &method{name: "WM-Rollout", answer: func(_ context.Context, s sight) (answer, error) {
		plan, err := world.Rollout(s.pictures[0], s.pictures[1])
		return answer{found: true, plan: plan}, err
	}})
	return nil
}

// symbolic plans with a model from the states that STRIPS-WM recognised, which
// translate brings into the model's predicates where it can.
func symbolic(name string, m *strips.Model, translate func(strips.State) (strips.State, bool)) (*method, error) {
	search, err := planner.New(m)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &method{name: name, answer: func(ctx context.Context, s sight) (answer, error) {
		start, startKnown := translate(s.result.Start.Used)
		goal, goalKnown := translate(s.result.Goal.Used)
		if !s.known || !startKnown || !goalKnown {
			return answer{unrecognized: true}, nil
		}
		r, err := search.Find(ctx, start, goal, planner.BreadthFirst, limits)
		return answer{found: r.Outcome == planner.Found, plan: r.Plan}, err
	}}, nil
}
