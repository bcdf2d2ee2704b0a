package operators

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"stripswm/models/operators/internal/regions"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Trial is an attempt worth making on the robot: of a closed-world guess that the
// model can only keep to by an exception, or of a pair that it calls untried.
type Trial struct {
	State  strips.StateID  `json:"state"`
	Action strips.ActionID `json:"action"`
	// Predicted are the nodes that the model expects the action to lead to, none
	// where it knows none or its variants disagree.
	Predicted []strips.StateID `json:"predicted"`
	// Shared says that the action was seen to succeed in a node with the same
	// code, so that success is likely.
	Shared bool `json:"shared"`
	// Gain is by how much eta falls if the action succeeds and leads to the first
	// predicted node; that of an untried pair costs nothing. If it is refused, the
	// guess becomes evidence.
	Gain int `json:"gain"`
}

// Frontier lists the trials whose success would lower eta most, those first. It
// considers the exceptions of the model that were never tried and, last, its untried
// pairs, and fails on the model of another graph.
func Frontier(ctx context.Context, g *taskgraph.Graph, t Trust, m *strips.Model) ([]Trial, error) {
	missing, err := trusted(g, t)
	if err != nil {
		return nil, err
	}
	if err := learnedFrom(g, m); err != nil {
		return nil, fmt.Errorf("frontier: %w", err)
	}
	tried := map[regions.Pair]bool{}
	for _, k := range missing {
		if k.Refused > 0 {
			tried[regions.Pair{State: k.State, Action: k.Action}] = true
		}
	}
	was := make([]strips.StateID, g.NumStates())
	for s := range was {
		was[s] = strips.StateID(s)
	}
	_, nodes := m.Nodes()
	lost := len(regions.New(g, pairs(missing), nil, false).DecideFrom(ctx, m, was).Lost())
	// Where the model has the least eta and no slack, each of its predicates fits
	// the predicted edge too, so that no other pair is lost by it: the gain is 1.
	// So it is where an action has variants, each of which has regions of its own.
	least := len(m.Slack) == 0 && len(m.Exceptions) == lost || !plain(m)
	var trials []Trial
	for _, e := range m.Exceptions {
		if ctx.Err() != nil || tried[regions.Pair{State: e.Node, Action: e.Action}] {
			continue
		}
		trial := Trial{State: e.Node, Action: e.Action, Shared: e.Shared, Gain: 1}
		code, _ := m.Code(e.Node)
		if next, ok := m.Predict(code, e.Action); ok {
			trial.Predicted = nodes[next]
		}
		if len(trial.Predicted) > 0 && !least {
			if trial.Gain, err = gain(ctx, g, t, taskgraph.Edge{Source: e.Node, Action: e.Action,
				Target: trial.Predicted[0], Support: 1}, lost); err != nil {
				return nil, err
			}
		}
		trials = append(trials, trial)
	}
	for _, u := range m.Untried {
		code, _ := m.Code(u.Node)
		next, _ := m.Predict(code, u.Action)
		trials = append(trials, Trial{State: u.Node, Action: u.Action, Predicted: nodes[next]})
	}
	slices.SortStableFunc(trials, func(a, b Trial) int {
		if a.Shared != b.Shared && a.Gain == b.Gain {
			if a.Shared {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.Gain, a.Gain)
	})
	return trials, nil
}

// plain says whether each action has one operator, which toggles nothing.
func plain(m *strips.Model) bool {
	return len(m.Operators) == m.Actions() && !toggles(m)
}

// toggles says whether some operator toggles a predicate.
func toggles(m *strips.Model) bool {
	return slices.ContainsFunc(m.Operators, func(o strips.Operator) bool { return len(o.Toggle) > 0 })
}

// gain is by how much the least eta falls if an edge is added.
func gain(ctx context.Context, g *taskgraph.Graph, t Trust, e taskgraph.Edge,
	eta int,
) (int, error) {
	h := *g
	at, found := slices.BinarySearchFunc(g.Edges, e, taskgraph.CompareEdges)
	if found {
		return 0, nil
	}
	h.Edges = slices.Insert(slices.Clone(g.Edges), at, e)
	missing, err := t.Missing(&h)
	if err != nil {
		return 0, fmt.Errorf("frontier: %w", err)
	}
	return eta - len(regions.New(&h, pairs(missing), nil, false).Decide(ctx).Lost()), nil
}
