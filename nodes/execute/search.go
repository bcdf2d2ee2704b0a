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
