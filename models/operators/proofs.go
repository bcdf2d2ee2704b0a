package operators

import (
	"context"

	"stripswm/models/operators/internal/regions"
	"stripswm/models/taskgraph"
)

// keptProofs bounds how many cores Learn keeps; Explain finds any on demand.
const keptProofs = 500

// Proof is an inseparable missing pair and edges that prove it: every predicate
// that holds in all sources of the action, by these edges and without transition
// slack, holds in the state too. The core is not minimal; see [Explain].
type Proof struct {
	Missing
	Core []taskgraph.Edge
}

// proofs keeps a core for each of the lost pairs, and fewer if the context ends.
func proofs(ctx context.Context, p *regions.Problem, g *taskgraph.Graph, missing []Missing,
	lost []regions.Pair,
) []Proof {
	if len(lost) == 0 {
		return nil
	}
	refused := map[regions.Pair]int{}
	for _, m := range missing {
		refused[regions.Pair{State: m.State, Action: m.Action}] = m.Refused
	}
	questions := p.NewQuestions(ctx)
	var out []Proof
	for _, pair := range lost[:min(len(lost), keptProofs)] {
		if ctx.Err() != nil {
			break
		}
		core, _ := questions.Core(questions.Separate(pair))
		out = append(out, Proof{Missing: Missing{pair.State, pair.Action, refused[pair]},
			Core: edges(g, core)})
	}
	return out
}

func edges(g *taskgraph.Graph, indices []int) []taskgraph.Edge {
	var out []taskgraph.Edge
	for _, i := range indices {
		out = append(out, g.Edges[i])
	}
	return out
}
