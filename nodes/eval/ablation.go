package eval

import (
	"context"

	"stripswm/models/operators"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Ablation is a row of the paper's table of RQ4: operators learned from the same
// task graph under another condition.
type Ablation struct {
	Condition  string `json:"condition"`
	TrueStates int    `json:"true_states"`
	Predicates int    `json:"predicates"`
	Xi         int    `json:"xi"`
	Eta        int    `json:"eta"`
	// FalsePositives are the pairs of a task-graph node and an action that the
	// graph does not have and whose preconditions hold.
	FalsePositives int `json:"false_positives"`
	DistinctCodes  int `json:"distinct_codes"`
	// Impossible says why no such operators exist; the figures are then zero.
	Impossible string    `json:"impossible,omitempty"`
	Horizons   []Horizon `json:"horizons,omitempty"`
}

// addAblations learns the ablated models, adds them as methods, and returns the
// table, whose first row is the bundle's own model.
func (e *evaluation) addAblations(ctx context.Context, g *taskgraph.Graph) ([]Ablation, error) {
	states := len(e.source.truth().States())
	table := []Ablation{ablationRow("STRIPS-WM", states, g, e.planner.Model())}
	conditions := []struct {
		name      string
		minUnique int
	}{
		{"no neg.", 0},
		{"no neg. + min-unique", min(states, g.NumStates())}, // nodes are fewer where states share one
	}
	const what = "relearn without negative evidence"
	for i, c := range conditions {
		e.options.report(what, i, len(conditions))
		r, err := operators.Learn(ctx, g, operators.Options{
			Trust: operators.Trust{Policy: operators.TrustNothing}, Single: true, MinUnique: c.minUnique,
			Budget: e.options.Budget, Seed: e.options.Seed})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			e.ablated = append(e.ablated, nil)
			table = append(table, Ablation{Condition: c.name, TrueStates: states, Impossible: err.Error()})
			continue
		}
		r.Model.Untried = nil // the paper's planner counts on whatever preconditions allow
		m, err := symbolic(c.name, r.Model, translation(e.planner.Model(), r.Model, g))
		if err != nil {
			return nil, err
		}
		e.ablated = append(e.ablated, m)
		table = append(table, ablationRow(c.name, states, g, r.Model))
	}
	e.options.report(what, len(conditions), len(conditions))
	return table, nil
}

func ablationRow(condition string, trueStates int, g *taskgraph.Graph, m *strips.Model) Ablation {
	codes, _ := m.Nodes()
	return Ablation{
		Condition: condition, TrueStates: trueStates, Predicates: m.Predicates, Xi: len(m.Slack),
		Eta:            len(m.Exceptions),
		FalsePositives: operators.FalsePositives(g, m), DistinctCodes: len(codes),
	}
}

// translation maps the known states of one model of a graph to those of another,
// by the best supported of their nodes.
func translation(from, to *strips.Model,
	g *taskgraph.Graph,
) func(strips.State) (strips.State, bool) {
	codes := map[strips.State]strips.State{}
	support := map[strips.State]int{}
	for _, k := range from.States {
		code, ok := to.Code(k.Node)
		if !ok {
			continue // which a model of this graph has not
		}
		n := g.Nodes[k.Node].Support
		if _, taken := codes[k.Code]; !taken || n > support[k.Code] {
			codes[k.Code], support[k.Code] = code, n
		}
	}
	return func(s strips.State) (strips.State, bool) {
		code, ok := codes[s]
		return code, ok
	}
}
