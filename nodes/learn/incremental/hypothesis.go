package incremental

import (
	"context"
	"slices"
	"time"

	"stripswm/models/operators"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/nodes/learn"
)

// hypothesis is a model and the task graph that it was learned from. It does not change.
type hypothesis struct {
	repaired *learn.Repaired
	missing  []operators.Missing // trusted missing pairs
	model    *strips.Model
	trials   []operators.Trial
	improved bool // learned within the whole budget
}

// next is the hypothesis of a graph that has changed since h, which may be nil.
func (h *hypothesis) next(ctx context.Context, repaired *learn.Repaired,
	o Options,
) (*hypothesis, error) {
	g := repaired.Graph
	missing, err := o.Operators.Trust.Missing(g)
	if err != nil {
		return nil, err
	}
	old, was := &strips.Model{}, make([]strips.StateID, len(g.Nodes))
	if h != nil {
		if h.explains(g, missing) {
			return h, nil
		}
		old = h.model
		known := h.repaired.Graph.Codes()
		for i, n := range g.Nodes {
			was[i] = -1
			if id, ok := known[n.Code]; ok {
				was[i] = id
			}
		}
	}
	r, err := operators.Relearn(ctx, g, o.Operators, old, was)
	if err != nil {
		return nil, err
	}
	return newHypothesis(ctx, repaired, r, o)
}

// explains says whether a graph holds nothing but more of the same.
func (h *hypothesis) explains(g *taskgraph.Graph, missing []operators.Missing) bool {
	return learn.SameShape(h.repaired.Graph, g) &&
		slices.EqualFunc(h.missing, missing, func(a, b operators.Missing) bool {
			return a.State == b.State && a.Action == b.Action && (a.Refused > 0) == (b.Refused > 0)
		})
}

// improve learns the hypothesis's graph from the beginning.
func (h *hypothesis) improve(ctx context.Context, o Options) (*hypothesis, error) {
	r, err := operators.Learn(ctx, h.repaired.Graph, o.Operators)
	if err != nil {
		return nil, err
	}
	better, err := newHypothesis(ctx, h.repaired, r, o)
	if err == nil {
		better.improved = true
	}
	return better, err
}

func newHypothesis(ctx context.Context, repaired *learn.Repaired, r *operators.Result,
	o Options,
) (*hypothesis, error) {
	trials, err := operators.Frontier(ctx, repaired.Graph, o.Operators.Trust, r.Model)
	if err == nil {
		err = ctx.Err() // what was cut short is no hypothesis
	}
	if err != nil {
		return nil, err
	}
	return &hypothesis{repaired: repaired, missing: r.Missing, model: r.Model,
		trials: trials[:min(len(trials), o.Trials)]}, nil
}

func (h *hypothesis) update(attempts int, begin time.Time) Update {
	return Update{
		Attempts: attempts, States: h.repaired.Graph.NumStates(), Edges: len(h.repaired.Graph.Edges),
		Predicates: h.model.Predicates, Xi: len(h.model.Slack), Eta: len(h.model.Exceptions),
		Improved: h.improved, Repairs: h.repaired.Repairs(),
		Untried: untried(h.repaired.Graph), Trials: h.trials, Seconds: time.Since(begin).Seconds(),
		Model: h.model, Graph: h.repaired.Graph,
	}
}

func untried(g *taskgraph.Graph) []strips.ActionID {
	seen := make([]bool, g.NumActions()+1)
	for _, e := range g.Edges {
		seen[e.Action] = true
	}
	list := []strips.ActionID{}
	for a := 1; a < len(seen); a++ {
		if !seen[a] {
			list = append(list, strips.ActionID(a))
		}
	}
	return list
}
