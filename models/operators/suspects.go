package operators

import (
	"cmp"
	"context"
	"slices"

	"github.com/go-air/gini/z"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Work limits of Suspects.
const (
	suspectQuestions = 300 // inseparable pairs that are looked into
	suspectEdges     = 100 // edges that are tried, those in most cores first
)

// Suspect is an edge that may be wrong: a proof that something cannot be told
// apart rests on it.
type Suspect struct {
	Edge taskgraph.Edge `json:"edge"`
	// Atoms is how many inseparable missing pairs it would free to drop the edge.
	Atoms int `json:"atoms"`
	// Merges is how many nodes it would free of the node that zero slack forces
	// them together with.
	Merges int `json:"merges"`
	// Cores is in how many minimal proofs the edge is.
	Cores int `json:"cores"`
}

// question is something that no column without slack separates.
type question struct {
	way   [2]z.Lit
	merge bool
	core  bitset
}

// Suspects ranks the edges by what dropping each alone would free, most first,
// rarely seen before often seen. A graph whose missing pairs can all be
// separated and whose nodes differ has none.
func Suspects(ctx context.Context, g *taskgraph.Graph, t Trust) ([]Suspect, error) {
	p, err := NewProblem(g, t)
	if err != nil {
		return nil, err
	}
	if len(g.Edges) == 0 {
		return nil, nil
	}
	o := newEdgeOracle(p, true)
	questions := p.questions(ctx, o)
	cores := make([]int, len(g.Edges))
	for i := range questions {
		if ctx.Err() != nil {
			questions = questions[:i]
			break
		}
		questions[i].core = o.proof(questions[i].way)
		for e := range questions[i].core.each {
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
		for _, q := range questions {
			if ctx.Err() != nil || !q.core.has(e) {
				continue // the edges of the core suffice without this one
			}
			dropped := newBitset(len(g.Edges))
			dropped.set(e)
			if x, _ := o.ask(q.way, dropped); x == nil {
				continue
			}
			if q.merge {
				suspects[i].Merges++
			} else {
				suspects[i].Atoms++
			}
		}
	}
	slices.SortStableFunc(suspects, func(a, b Suspect) int {
		return cmp.Or(cmp.Compare(b.Atoms+b.Merges, a.Atoms+a.Merges), cmp.Compare(a.Edge.Support, b.Edge.Support))
	})
	return suspects, nil
}

// questions lists the inseparable missing pairs and, for each node that is
// forced together with others, the node and the first of these.
func (p *Problem) questions(ctx context.Context, o *edgeOracle) []question {
	var out []question
	plain := newOracle(p)
	pool, lost, _ := separate(ctx, plain, nil)
	for atom := range lost.each {
		out = append(out, question{way: o.apart(atom, +1)})
	}
	class, _ := p.forced(ctx, plain, pool)
	first := map[int]int{}
	for s, k := range class {
		r, any := first[k]
		if !any {
			first[k] = s
			continue
		}
		out = append(out, question{way: [2]z.Lit{o.holds(r), o.holds(s).Not()}, merge: true})
	}
	return out[:min(len(out), suspectQuestions)]
}

// Forced lists the groups of nodes that no predicate can tell apart without
// transition slack: an abstraction that split one state in several leaves such
// groups, but a wrong edge can force true states together too, so look at
// [Suspects] before merging them.
func Forced(ctx context.Context, g *taskgraph.Graph) ([][]strips.StateID, error) {
	p, err := NewProblem(g, Trust{Policy: TrustNothing})
	if err != nil {
		return nil, err
	}
	class, _ := p.forced(ctx, newOracle(p), nil)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	members := make([][]strips.StateID, p.states)
	for s, k := range class {
		members[k] = append(members[k], stateID(s))
	}
	return slices.DeleteFunc(members, func(nodes []strips.StateID) bool { return len(nodes) < 2 }), nil
}
