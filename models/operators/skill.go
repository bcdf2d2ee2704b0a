package operators

import (
	"fmt"
	"slices"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Skill says what an action does: a thing for each of its operators.
type Skill struct {
	Action           strips.ActionID         `json:"action"`
	Name             string                  `json:"name"`
	Variants         []Variant               `json:"variants"`
	Distinct         []Distinction           `json:"distinct,omitempty"`         // each pair of variants
	Core             *Core                   `json:"core,omitempty"`             // it needs several variants
	Nondeterministic []strips.Nondeterminism `json:"nondeterministic,omitempty"` // where its outcome is nondeterministic
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

// Distinction says what tells two variants of an action distinct: the predicates of their
// preconditions that have one value in all sources of the one and the other in
// all of the other. There may be none: then it takes several.
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

// tells lists what tells two variants distinct by itself.
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
