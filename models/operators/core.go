package operators

import (
	"context"

	"stripswm/models/operators/internal/variants"
	"stripswm/models/operators/internal/work"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Core says why an action needs several operators: edges that one operator
// cannot explain, with the other actions as they are in the model. None of the
// edges is named in vain.
type Core struct {
	Edges []taskgraph.Edge `json:"edges"`
	// Nodes are two that would have one code or, where Allowed, the source of an
	// edge and a node in which the operator would be allowed, though the action must
	// not apply there or does something else.
	Nodes   [2]strips.StateID `json:"nodes"`
	Allowed bool              `json:"allowed,omitempty"`
}

// coreSteps is what may be done to find a reason: some tenths of a second.
const coreSteps = 3_000_000

// core looks for a reason; there is none to be had if the work does not suffice.
func core(g *taskgraph.Graph, m *strips.Model, a strips.ActionID) *Core {
	certain, _ := withoutNondeterminism(g)
	found := &variants.Found{Variants: len(m.Operators), Of: make([]int, len(certain.Edges))}
	for i, e := range certain.Edges {
		for k := range m.Operators {
			if op := &m.Operators[k]; op.Action == e.Action && op.Applicable(m.States[e.Source].Code) {
				found.Of[i] = k
			}
		}
	}
	var missing []Missing
	// where the model refuses an action, it must not apply
	for s := range strips.StateID(g.NumStates()) {
		for b := strips.ActionID(1); int(b) <= g.NumActions(); b++ {
			if _, applies := m.Predict(m.States[s].Code, b); !applies && len(g.Targets(s, b)) == 0 {
				missing = append(missing, Missing{State: s, Action: b})
			}
		}
	}
	edges, lack := variants.Explanation(work.New(context.Background(), coreSteps),
		grouped(certain, missing), found, toggles(m), int(a-1))
	if len(edges) == 0 {
		return nil
	}
	x := &Core{Nodes: [2]strips.StateID{strips.StateID(lack.One), strips.StateID(lack.Other)},
		Allowed: len(lack.Of) > 0}
	for _, e := range edges {
		x.Edges = append(x.Edges, certain.Edges[e])
	}
	return x
}
