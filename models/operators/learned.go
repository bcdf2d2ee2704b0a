package operators

import (
	"fmt"

	"stripswm/models/operators/internal/regions"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// learnedFrom says why a model cannot be of a valid graph: it has other nodes or
// actions, or it denies an edge. An effect may be wrong where there is slack.
func learnedFrom(g *taskgraph.Graph, m *strips.Model) error {
	if len(m.States) != g.NumStates() || m.Actions() != g.NumActions() {
		return fmt.Errorf(
			"the model was not learned from this graph: it has %d nodes and %d actions, the graph %d and %d",
			len(m.States), m.Actions(), g.NumStates(), g.NumActions())
	}
	if err := m.Validate(); err != nil {
		return err
	}
	for i, k := range m.States {
		if int(k.Node) != i {
			return fmt.Errorf("the model was not learned from this graph: it has no node %d", i)
		}
	}
	for i, label := range g.Labels {
		if name := m.Label(strips.ActionID(i + 1)); name != label {
			return fmt.Errorf(
				"the model was not learned from this graph: action %d is %q in it and %q in the graph", i+1,
				name, label)
		}
	}
	d := denials{m, map[strips.Slack]bool{}, map[regions.Pair]bool{}, map[taskgraph.Edge]bool{}}
	for _, s := range m.Slack {
		d.slack[s] = true
	}
	for _, e := range m.Exceptions {
		d.excepted[regions.Pair{State: e.Node, Action: e.Action}] = true
	}
	for _, c := range m.Nondeterministic {
		for _, o := range c.Outcomes {
			d.nondeterministic[taskgraph.Edge{Source: c.Node, Action: c.Action, Target: o.Target}] = true
		}
	}
	for _, e := range g.Edges {
		if d.denies(e) {
			return fmt.Errorf("the model was not learned from this graph: it denies edge (%d, %s, %d)",
				e.Source, g.Label(e.Action), e.Target)
		}
	}
	return nil
}

// denials are what a model says of edges.
type denials struct {
	model            *strips.Model
	slack            map[strips.Slack]bool
	excepted         map[regions.Pair]bool
	nondeterministic map[taskgraph.Edge]bool // with Support 0
}

// denies says whether no variant applies at the edge's source, or one that does
// leads elsewhere. What is nondeterministic is not denied.
func (d *denials) denies(e taskgraph.Edge) bool {
	if d.nondeterministic[taskgraph.Edge{Source: e.Source, Action: e.Action, Target: e.Target}] {
		return false
	}
	from, to := d.model.States[e.Source].Code, d.model.States[e.Target].Code
	applies := false
	for _, op := range d.model.Variants(e.Action) {
		if !op.Applicable(from) {
			continue
		}
		applies = true
		for _, q := range op.Apply(from).Difference(to) {
			if !d.slack[strips.Slack{Source: e.Source, Action: e.Action, Target: e.Target, Predicate: q}] {
				return true
			}
		}
	}
	return !applies || d.excepted[regions.Pair{State: e.Source, Action: e.Action}]
}
