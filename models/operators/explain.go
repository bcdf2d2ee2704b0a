package operators

import (
	"context"
	"fmt"
	"slices"

	"stripswm/models/operators/internal/regions"
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
	// Allowed: preconditions hold, and nobody tried it; it is counted on where there
	// is no other way.
	Allowed Verdict = "allowed"
	// Nondeterministic outcome: the action was seen there, with several outcomes in fact.
	Nondeterministic Verdict = "nondeterministic"
	// Unclear: variants that disagree apply there, so that the model refuses.
	Unclear Verdict = "unclear"
)

// Explanation says why a model allows an action in a node or not.
type Explanation struct {
	State   strips.StateID   `json:"state"`
	Action  strips.ActionID  `json:"action"`
	Verdict Verdict          `json:"verdict"`
	Targets []strips.StateID `json:"targets,omitempty"` // where it was seen to lead
	Refused int              `json:"refused"`           // how often it was tried and refused
	// Odds are the outcomes where the action is nondeterministic.
	Odds []strips.Outcome `json:"odds,omitempty"`
	// Violated are the preconditions that do not hold there. Of an action with
	// several operators Variants has those of each instead.
	Violated
	Variants []VariantVerdict `json:"variants,omitempty"`
	// Inseparable says that no predicate without transition slack can rule the
	// pair out, and Core are edges that prove it together: without any one of
	// them a predicate could. With an empty Core nothing but the node itself
	// stands in the way: it is a source of the action.
	Inseparable bool             `json:"inseparable"`
	Core        []taskgraph.Edge `json:"core,omitempty"`
}

// Violated are preconditions that do not hold: predicates that should and do not,
// and that should not and do.
type Violated struct {
	Required []strips.Predicate `json:"required,omitempty"`
	Excluded []strips.Predicate `json:"excluded,omitempty"`
}

// VariantVerdict says whether one of an action's operators applies in a node.
type VariantVerdict struct {
	Variant int  `json:"variant"` // from 1
	Applies bool `json:"applies"`
	Violated
}

// Explain looks at one pair of a graph and a model that was learned from it; it
// fails on the model of another graph.
func Explain(g *taskgraph.Graph, m *strips.Model, s strips.StateID,
	a strips.ActionID,
) (*Explanation, error) {
	if err := g.Validate(); err != nil {
		return nil, fmt.Errorf("explain: %w", err)
	}
	if s < 0 || int(s) >= g.NumStates() || a < 1 || int(a) > g.NumActions() {
		return nil, fmt.Errorf("explain: node %d, action %d: want nodes 0..%d and actions 1..%d", s, a,
			g.NumStates()-1, g.NumActions())
	}
	if err := learnedFrom(g, m); err != nil {
		return nil, fmt.Errorf("explain: %w", err)
	}
	code, _ := m.Code(s)
	x := &Explanation{State: s, Action: a, Targets: g.Targets(s, a)}
	for _, r := range g.Refused {
		if r.State == s && r.Action == a {
			x.Refused = r.Count
		}
	}
	for _, c := range m.Nondeterministic {
		if c.Node == s && c.Action == a {
			x.Odds = c.Outcomes
		}
	}
	applies := x.variants(m.Variants(a), code)
	excepted := slices.ContainsFunc(m.Exceptions, func(e strips.Exception) bool {
		return e.Node == s &&
			e.Action == a
	})
	_, agree := m.Predict(code, a)
	switch {
	case len(x.Odds) > 0:
		x.Verdict = Nondeterministic
		return x, nil
	case len(x.Targets) > 0:
		x.Verdict = Observed
		return x, nil
	case !applies:
		x.Verdict = RuledOut
		return x, nil
	case excepted:
		x.Verdict = Excepted
	case !agree:
		x.Verdict = Unclear
	default:
		x.Verdict = Allowed
	}
	if !plain(m) { // a core speaks of one operator an action
		return x, nil
	}
	if !slices.ContainsFunc(g.Edges, func(e taskgraph.Edge) bool { return e.Action == a }) {
		return x, nil
	}
	questions := regions.New(g, nil, nil, false).NewQuestions(context.Background())
	core, ruledOut := questions.MinimalCore(questions.Separate(regions.Pair{State: s, Action: a}))
	x.Inseparable, x.Core = ruledOut, edges(g, core)
	return x, nil
}

// variants says which of an action's operators apply in a state, and whether any
// does.
func (x *Explanation) variants(of []strips.Operator, code strips.State) (applies bool) {
	for i := range of {
		v := VariantVerdict{Variant: i + 1}
		v.Required, v.Excluded = of[i].Violated(code)
		v.Applies = len(v.Required)+len(v.Excluded) == 0
		applies = applies || v.Applies
		if len(of) == 1 {
			x.Violated = v.Violated
		} else {
			x.Variants = append(x.Variants, v)
		}
	}
	return applies
}
