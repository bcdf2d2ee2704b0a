package operators

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"stripswm/models/operators/internal/regions"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Suspect is an edge that may be wrong: a proof that a pair is inseparable, or that two nodes
// cannot be told apart, rests on it.
type Suspect struct {
	Edge taskgraph.Edge `json:"edge"`
	// SeparationConstraints is how many inseparable missing pairs it would free to drop the edge.
	SeparationConstraints int `json:"constraints"`
	// Merges is how many nodes it would free of the node that zero slack forces
	// them together with.
	Merges int `json:"merges"`
	// Cores is in how many minimal proofs the edge is.
	Cores int `json:"cores"`
}

// inseparable is something that no region without slack separates, and why.
type inseparable struct {
	question regions.Question
	merge    bool
	core     []int
}

// Suspects ranks the edges by what dropping each alone would free, most first,
// rarely seen before often seen. A graph whose missing pairs can all be
// separated and whose nodes differ has none.
func Suspects(ctx context.Context, g *taskgraph.Graph, t Trust) ([]Suspect, error) {
	missing, err := trusted(g, t)
	if err != nil {
		return nil, err
	}
	if len(g.Edges) == 0 {
		return nil, nil
	}
	p := regions.New(g, pairs(missing), nil, false)
	questions := p.NewQuestions(ctx)
	suspectPairs := suspectPairs(ctx, p.Decide(ctx), questions)
	cores := make([]int, len(g.Edges))
	for i := range suspectPairs {
		if ctx.Err() != nil {
			suspectPairs = suspectPairs[:i]
			break
		}
		suspectPairs[i].core, _ = questions.MinimalCore(suspectPairs[i].question)
		for _, e := range suspectPairs[i].core {
			cores[e]++
		}
	}
	var suspects []Suspect
	for e, n := range cores {
		if n > 0 {
			suspects = append(suspects, Suspect{Edge: g.Edges[e], Cores: n})
		}
	}
	slices.SortStableFunc(suspects, func(a, b Suspect) int {
		return cmp.Or(cmp.Compare(b.Cores, a.Cores), cmp.Compare(a.Edge.Support, b.Edge.Support))
	})
	suspects = suspects[:min(len(suspects), suspectEdges)]
	for i := range suspects {
		e, _ := slices.BinarySearchFunc(g.Edges, suspects[i].Edge, taskgraph.CompareEdges)
		for _, d := range suspectPairs {
			if ctx.Err() != nil || !slices.Contains(d.core, e) || !questions.Without(e, d.question) {
				continue // the edges of the core suffice without this one
			}
			if d.merge {
				suspects[i].Merges++
			} else {
				suspects[i].SeparationConstraints++
			}
		}
	}
	slices.SortStableFunc(suspects, func(a, b Suspect) int {
		return cmp.Or(cmp.Compare(b.SeparationConstraints+b.Merges, a.SeparationConstraints+a.Merges),
			cmp.Compare(a.Edge.Support, b.Edge.Support))
	})
	return suspects, nil
}

// suspectPairs lists the inseparable missing pairs and, for each node that is forced
// together with others, the node and the first of these.
func suspectPairs(ctx context.Context, d *regions.Decided,
	questions *regions.Questions,
) []inseparable {
	var out []inseparable
	for _, pair := range d.Lost() {
		out = append(out, inseparable{question: questions.Separate(pair)})
	}
	for _, pair := range d.Alike(ctx) {
		out = append(out, inseparable{question: questions.Distinguish(pair), merge: true})
	}
	return out[:min(len(out), maxSuspectPairs)]
}

// Forced lists the groups of nodes that no predicate can distinguish without
// transition slack: an abstraction that split one state in several leaves such
// groups, but a wrong edge can force true states together too, so look at
// [Suspects] before merging them.
func Forced(ctx context.Context, g *taskgraph.Graph) ([][]strips.StateID, error) {
	if err := g.Validate(); err != nil {
		return nil, fmt.Errorf("operators: %w", err)
	}
	groups := make([][]strips.StateID, g.NumStates())
	for s, k := range regions.New(g, nil, nil, false).Decide(ctx).Forced(ctx) {
		groups[k] = append(groups[k], strips.StateID(s))
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(groups, func(nodes []strips.StateID) bool { return len(nodes) < 2 }), nil
}
