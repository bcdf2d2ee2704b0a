package operators

import (
	"fmt"

	"stripswm/models/operators/internal/columns"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// learnedFrom says why a model cannot be of a valid graph: it has other nodes or
// actions, or it denies an edge. An effect may be wrong where there is slack.
func learnedFrom(g *taskgraph.Graph, m *strips.Model) error {
	if len(m.States) != g.NumStates() || len(m.Operators) != g.NumActions() {
		return fmt.Errorf("the model was not learned from this graph: it has %d nodes and %d actions, the graph %d and %d",
			len(m.States), len(m.Operators), g.NumStates(), g.NumActions())
	}
	if err := m.Validate(); err != nil {
		return err
	}
	for i, k := range m.States {
		if int(k.Node) != i {
			return fmt.Errorf("the model was not learned from this graph: it has no node %d", i)
		}
	}
	for i := range m.Operators {
		if name := m.Operators[i].Name; name != g.Labels[i] {
			return fmt.Errorf("the model was not learned from this graph: action %d is %q in it and %q in the graph", i+1, name, g.Labels[i])
		}
	}
	slack := map[strips.Slack]bool{}
	for _, s := range m.Slack {
		slack[s] = true
	}
	excepted := map[columns.Pair]bool{}
	for _, e := range m.Exceptions {
		excepted[columns.Pair{State: e.Node, Action: e.Action}] = true
	}
	for _, e := range g.Edges {
		op, from, to := m.Operator(e.Action), m.States[e.Source].Code, m.States[e.Target].Code
		after := op.Apply(from)
		denied := !op.Applicable(from) || excepted[columns.Pair{State: e.Source, Action: e.Action}]
		for q := range strips.Predicate(m.Predicates) {
			paid := slack[strips.Slack{Source: e.Source, Action: e.Action, Target: e.Target, Predicate: q}]
			denied = denied || after.Get(q) != to.Get(q) && !paid
		}
		if denied {
			return fmt.Errorf("the model was not learned from this graph: it denies edge (%d, %s, %d)", e.Source, op.Name, e.Target)
		}
	}
	return nil
}
