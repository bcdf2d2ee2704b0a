package incremental

import (
	"context"
	"slices"
	"time"

	"stripswm/models/operators"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// lesson is a model and the task graph that it was learned from. It does not change.
type lesson struct {
	graph    *taskgraph.Graph
	missing  []operators.Missing // trusted missing pairs
	model    *strips.Model
	trials   []operators.Trial
	improved bool // learned within the whole budget
}

// next is the lesson of a graph that has changed since k, which may be nil.
func (k *lesson) next(ctx context.Context, g *taskgraph.Graph, o Options) (*lesson, error) {
	missing, err := o.Operators.Trust.Missing(g)
	if err != nil {
		return nil, err
	}
	old, was := &strips.Model{}, make([]strips.StateID, len(g.Nodes))
	if k != nil {
		if k.explains(g, missing) {
			return k, nil
		}
		old = k.model
		known := k.graph.Codes()
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
	return newLesson(ctx, g, r, o)
}

// explains says whether a graph holds nothing but more of the same.
func (k *lesson) explains(g *taskgraph.Graph, missing []operators.Missing) bool {
	return slices.EqualFunc(k.graph.Nodes, g.Nodes, func(a, b taskgraph.Node) bool { return a.Code == b.Code }) &&
		slices.EqualFunc(k.graph.Edges, g.Edges, func(a, b taskgraph.Edge) bool { return taskgraph.CompareEdges(a, b) == 0 }) &&
		slices.EqualFunc(k.missing, missing, func(a, b operators.Missing) bool {
			return a.State == b.State && a.Action == b.Action && (a.Refused > 0) == (b.Refused > 0)
		})
}

// improve learns the lesson's graph from the beginning.
func (k *lesson) improve(ctx context.Context, o Options) (*lesson, error) {
	r, err := operators.Learn(ctx, k.graph, o.Operators)
	if err != nil {
		return nil, err
	}
	better, err := newLesson(ctx, k.graph, r, o)
	if err == nil {
		better.improved = true
	}
	return better, err
}

func newLesson(ctx context.Context, g *taskgraph.Graph, r *operators.Result, o Options) (*lesson, error) {
	trials, err := operators.Frontier(ctx, g, o.Operators.Trust, r.Model)
	if err == nil {
		err = ctx.Err() // what was cut short is no lesson
	}
	if err != nil {
		return nil, err
	}
	return &lesson{graph: g, missing: r.Missing, model: r.Model, trials: trials[:min(len(trials), o.Trials)]}, nil
}

func (k *lesson) update(attempts int, begin time.Time) Update {
	return Update{
		Attempts: attempts, States: k.graph.NumStates(), Edges: len(k.graph.Edges),
		Predicates: k.model.Predicates, Xi: len(k.model.Slack), Eta: len(k.model.Exceptions), Improved: k.improved,
		Untried: untried(k.graph), Trials: k.trials, Seconds: time.Since(begin).Seconds(), Model: k.model, Graph: k.graph,
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
