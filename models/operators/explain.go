package operators

import (
	"context"
	"fmt"
	"slices"

	"stripswm/models/operators/internal/columns"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Verdict says how a model stands to a state-action pair.
type Verdict string

const (
	// Observed: the action was seen there.
	Observed Verdict = "observed"
	// RuledOut: a precondition is violated.
	RuledOut Verdict = "ruled out"
	// Excepted: no precondition says so, but the pair is an exception.
	Excepted Verdict = "exception"
	// Allowed: the model allows the action there without having seen it.
	Allowed Verdict = "allowed"
)

// Explanation says why a model allows an action in a node or not.
type Explanation struct {
	State   strips.StateID   `json:"state"`
	Action  strips.ActionID  `json:"action"`
	Verdict Verdict          `json:"verdict"`
	Targets []strips.StateID `json:"targets,omitempty"` // where it was seen to lead
	Refused int              `json:"refused"`           // how often it was tried and refused
	// Required and Forbidden are the violated preconditions: predicates that
	// should hold and do not, and that should not and do.
	Required  []strips.Predicate `json:"required,omitempty"`
	Forbidden []strips.Predicate `json:"forbidden,omitempty"`
	// Inseparable says that no predicate without transition slack can rule the
	// pair out, and Core are edges that prove it together: without any one of
	// them a predicate could. With an empty Core nothing but the node itself
	// stands in the way: it is a source of the action.
	Inseparable bool             `json:"inseparable"`
	Core        []taskgraph.Edge `json:"core,omitempty"`
}

// Explain looks at one pair of a graph and a model that was learned from it; it
// fails on the model of another graph.
func Explain(g *taskgraph.Graph, m *strips.Model, s strips.StateID, a strips.ActionID) (*Explanation, error) {
	if err := g.Validate(); err != nil {
		return nil, fmt.Errorf("explain: %w", err)
	}
	if s < 0 || int(s) >= g.NumStates() || a < 1 || int(a) > g.NumActions() {
		return nil, fmt.Errorf("explain: node %d, action %d: want nodes 0..%d and actions 1..%d", s, a, g.NumStates()-1, g.NumActions())
	}
	if err := learnedFrom(g, m); err != nil {
		return nil, fmt.Errorf("explain: %w", err)
	}
	code, _ := m.Code(s)
	op := m.Operator(a)
	x := &Explanation{State: s, Action: a, Targets: g.Targets(s, a)}
	for _, r := range g.Refused {
		if r.State == s && r.Action == a {
			x.Refused = r.Count
		}
	}
	x.Required, x.Forbidden = op.Violated(code)
	excepted := false
	for _, e := range m.Exceptions {
		excepted = excepted || e.Node == s && e.Action == a
	}
	switch {
	case len(x.Targets) > 0:
		x.Verdict = Observed
		return x, nil
	case len(x.Required)+len(x.Forbidden) > 0:
		x.Verdict = RuledOut
		return x, nil
	case excepted:
		x.Verdict = Excepted
	default:
		x.Verdict = Allowed
	}
	if !slices.ContainsFunc(g.Edges, func(e taskgraph.Edge) bool { return e.Action == a }) {
		return x, nil
	}
	questions := columns.New(g, nil, nil, false).NewQuestions(context.Background())
	core, ruledOut := questions.MinimalCore(questions.Separate(columns.Pair{State: s, Action: a}))
	x.Inseparable, x.Core = ruledOut, edges(g, core)
	return x, nil
}
