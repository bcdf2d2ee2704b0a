package execute

import (
	"context"
	"slices"

	"stripswm/models/planner"
	"stripswm/models/strips"
)

// ModelSearch searches a learned model.
type ModelSearch struct {
	Limits planner.Limits

	model  *strips.Model
	search *planner.Planner
}

// NewModelSearch prepares a model for search. The model must not change afterwards.
func NewModelSearch(m *strips.Model, limits planner.Limits) (*ModelSearch, error) {
	search, err := planner.New(m)
	if err != nil {
		return nil, err
	}
	return &ModelSearch{Limits: limits, model: m, search: search}, nil
}

// Find searches breadth first for a shortest plan. The attempts to avoid become
// exceptions of the model for this one search; only known states have them. It
// stops where start and goal have one code that several nodes share.
func (s *ModelSearch) Find(ctx context.Context, start strips.State, goal strips.Goal,
	avoid []StateAction,
) (planner.Result, error) {
	if nodes := planner.Indistinct(s.model, start, goal); nodes != nil {
		return planner.Result{},
			stop(Unrecognized,
				"start and goal both show %s, the code of the nodes %v, which the model cannot distinguish",
				start, nodes)
	}
	search := s.search
	if len(avoid) > 0 {
		m := *s.model
		m.Exceptions = slices.Clone(m.Exceptions)
		for _, a := range avoid {
			for _, node := range planner.Locate(s.model, a.State).Nodes {
				m.Exceptions = append(m.Exceptions, strips.Exception{Node: node, Action: a.Action})
			}
		}
		var err error
		if search, err = planner.New(&m); err != nil {
			return planner.Result{}, err
		}
	}
	return search.FindGoal(ctx, start, goal, planner.Auto, s.Limits)
}

// Return searches for a plan that leaves a state and ends in the goal. Its first action leads as
// near as possible to the state before: what the last skill placed, it moves.
func (s *ModelSearch) Return(ctx context.Context, at, before strips.State, goal strips.Goal,
	avoid []StateAction,
) (planner.Result, error) {
	type exit struct {
		action strips.ActionID
		to     strips.State
	}
	var exits []exit
	for _, o := range s.model.Operators {
		to, applies := s.model.Successor(at, o.Action)
		if applies && to != at && !slices.Contains(avoid, StateAction{at, o.Action}) {
			exits = append(exits, exit{o.Action, to})
		}
	}
	slices.SortStableFunc(exits, func(a, b exit) int {
		return len(a.to.Difference(before)) - len(b.to.Difference(before))
	})
	for _, e := range exits {
		r, err := s.Find(ctx, e.to, goal, avoid)
		if err != nil {
			return r, err
		}
		if r.Outcome == planner.Found {
			r.Plan = append([]strips.ActionID{e.action}, r.Plan...)
			r.States = append([]strips.State{at}, r.States...)
			for i := range r.Uncertain {
				r.Uncertain[i].Step++
			}
			return r, nil
		}
	}
	return planner.Result{Outcome: planner.Unsolvable}, nil
}
