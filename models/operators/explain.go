package operators

import (
	"context"
	"fmt"
	"slices"

	"stripswm/models/operators/check"
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
	// Allowed: preconditions hold, and nobody tried it. Plans use it where there is no other way.
	Allowed Verdict = "allowed"
	// Nondeterministic: the action was seen there, with several outcomes.
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
		return e.Node == s && e.Action == a
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

// plain says whether each action has one operator, which toggles nothing.
func plain(m *strips.Model) bool {
	return len(m.Operators) == m.Actions() && !toggles(m)
}

// toggles says whether some operator toggles a predicate.
func toggles(m *strips.Model) bool {
	return slices.ContainsFunc(m.Operators, func(o strips.Operator) bool { return len(o.Toggle) > 0 })
}

// Skill says what an action does, operator by operator, and where its outcome is nondeterministic.
type Skill struct {
	Action           strips.ActionID         `json:"action"`
	Name             string                  `json:"name"`
	Variants         []Variant               `json:"variants"`
	Distinct         []Distinction           `json:"distinct,omitempty"` // each pair of variants
	Core             *Core                   `json:"core,omitempty"`     // why it needs several
	Nondeterministic []strips.Nondeterminism `json:"nondeterministic,omitempty"`
}

// Variant is one of an action's operators and the edges that it explains.
type Variant struct {
	Variant  int                `json:"variant"` // from 1
	Sources  []strips.StateID   `json:"sources"`
	Seen     int                `json:"seen"` // observations of the edges
	Requires []strips.Predicate `json:"requires,omitempty"`
	Excludes []strips.Predicate `json:"excludes,omitempty"`
	Adds     []strips.Predicate `json:"adds,omitempty"`
	Deletes  []strips.Predicate `json:"deletes,omitempty"`
	Toggles  []strips.Predicate `json:"toggles,omitempty"`
}

// Distinction says what tells two variants of an action apart: the predicates of their
// preconditions that have one value in all sources of the one and the other in
// all of the other. If there are none, it takes several predicates together.
type Distinction struct {
	Variants   [2]int             `json:"variants"`
	Predicates []strips.Predicate `json:"predicates"`
}

// ExplainSkill looks at one action of a graph and a model that was learned from
// it; it fails on the model of another graph.
func ExplainSkill(g *taskgraph.Graph, m *strips.Model, a strips.ActionID) (*Skill, error) {
	if err := g.Validate(); err != nil {
		return nil, fmt.Errorf("explain: %w", err)
	}
	if a < 1 || int(a) > g.NumActions() {
		return nil, fmt.Errorf("explain: action %d: want 1..%d", a, g.NumActions())
	}
	if err := learnedFrom(g, m); err != nil {
		return nil, fmt.Errorf("explain: %w", err)
	}
	x := &Skill{Action: a, Name: g.Label(a)}
	byNondeterminism := map[strips.StateID]bool{}
	for _, c := range m.Nondeterministic {
		if c.Action == a {
			x.Nondeterministic = append(x.Nondeterministic, c)
			byNondeterminism[c.Node] = true
		}
	}
	variants := m.Variants(a)
	for i := range variants {
		op := &variants[i]
		v := Variant{Variant: i + 1, Sources: []strips.StateID{}, Requires: op.PrePos,
			Excludes: op.PreNeg, Adds: op.Add, Deletes: op.Del, Toggles: op.Toggle}
		for _, e := range g.Edges {
			if e.Action == a && !byNondeterminism[e.Source] && op.Applicable(m.States[e.Source].Code) {
				v.Sources = append(v.Sources, e.Source)
				v.Seen += e.Support
			}
		}
		v.Sources = slices.Compact(v.Sources) // edges are by source
		x.Variants = append(x.Variants, v)
	}
	for i, v := range x.Variants {
		for _, w := range x.Variants[:i] {
			x.Distinct = append(x.Distinct, Distinction{[2]int{w.Variant, v.Variant}, tells(m, w, v)})
		}
	}
	if len(variants) > 1 && len(m.Slack) == 0 {
		x.Core = core(g, m, a)
	}
	return x, nil
}

// tells lists the predicates that tell two variants apart by themselves.
func tells(m *strips.Model, v, w Variant) []strips.Predicate {
	out := []strips.Predicate{}
	codes := func(v Variant) (codes []strips.State) {
		for _, s := range v.Sources {
			codes = append(codes, m.States[s].Code)
		}
		return codes
	}
	one, other := codes(v), codes(w)
	asked := slices.Concat(v.Requires, v.Excludes, w.Requires, w.Excludes)
	slices.Sort(asked)
	for _, p := range slices.Compact(asked) {
		if constant(one, p)*constant(other, p) == -1 {
			out = append(out, p)
		}
	}
	return out
}

// Core says why an action needs several operators: edges that one operator cannot explain while
// the other actions stay as they are in the model. It can explain all but any one of them.
type Core struct {
	Edges []taskgraph.Edge `json:"edges"`
	// Nodes would have the same code. If Allowed, they are the source of an edge instead, and a node
	// where the operator would apply, though it must not.
	Nodes   [2]strips.StateID `json:"nodes"`
	Allowed bool              `json:"allowed,omitempty"`
}

// core joins the operators of an action to one, and asks for what that leaves no predicate for. It
// is nil if that is nothing.
func core(g *taskgraph.Graph, m *strips.Model, a strips.ActionID) *Core {
	certain, _ := withoutNondeterminism(g)
	of := make([]int, len(certain.Edges))
	for i, e := range certain.Edges {
		for k, op := range m.Variants(e.Action) {
			if e.Action != a && op.Applicable(m.States[e.Source].Code) {
				of[i] = k
			}
		}
	}
	var missing []regions.Pair
	// the one operator must not apply where the model refuses the action
	for s := range strips.StateID(g.NumStates()) {
		for b := strips.ActionID(1); int(b) <= g.NumActions(); b++ {
			if _, applies := m.Predict(m.States[s].Code, b); !applies && len(g.Targets(s, b)) == 0 {
				missing = append(missing, regions.Pair{State: s, Action: b})
			}
		}
	}
	joined := splitActions(certain, missing, of)
	p := regions.New(joined.graph, joined.missing, nil, false)
	if toggles(m) {
		p = p.Toggling()
	}
	return joined.lacking(p, strips.ActionID(slices.Index(joined.action, a)+1))
}

// lacking says why an action of a problem cannot be as it is: first that two nodes would have the
// same code, then that it would be allowed, then that another would.
func (p *split) lacking(problem *regions.Problem, action strips.ActionID) *Core {
	ctx := context.Background()
	d, questions := problem.Decide(ctx), problem.NewQuestions(ctx)
	x := &Core{}
	var core []int
	if alike, lost := d.Alike(ctx), d.Lost(); len(alike) > 0 {
		x.Nodes = alike[0]
		core = questions.CoreOf(action, questions.Distinguish(alike[0]))
	} else if len(lost) > 0 {
		own := slices.IndexFunc(lost, func(l regions.Pair) bool { return l.Action == action })
		pair := lost[max(0, own)]
		core = questions.CoreOf(action, questions.Separate(pair))
		x.Allowed = true
		x.Nodes = [2]strips.StateID{p.source(pair.Action, core), pair.State}
	}
	for _, e := range edges(p.graph, core) {
		e.Action = p.action[e.Action-1]
		x.Edges = append(x.Edges, e)
	}
	if len(x.Edges) == 0 {
		return nil
	}
	return x
}

// source is that of an edge of an action, of one of the given edges if there is one.
func (p *split) source(action strips.ActionID, first []int) strips.StateID {
	of := func(e taskgraph.Edge) bool { return e.Action == action }
	all := append(edges(p.graph, first), p.graph.Edges...)
	return all[slices.IndexFunc(all, of)].Source
}

// learnedFrom says why a model cannot have been learned from a graph.
func learnedFrom(g *taskgraph.Graph, m *strips.Model) error {
	if err := m.Validate(); err != nil {
		return err
	}
	if err := check.Edges(g, m); err != nil {
		return fmt.Errorf("the model was not learned from this graph: %w", err)
	}
	return nil
}
