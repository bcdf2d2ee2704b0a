package operators

import (
	"context"

	"stripswm/models/operators/check"
	"stripswm/models/operators/internal/regions"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Proved says which of the figures are proved to be optimal.
type Proved = regions.Proved

// Bounds are lower bounds on the figures: each is a bound given the figures
// before it in the order xi, eta, operators, predicates, effects, preconditions.
type Bounds = regions.Bounds

// Report sums up what was learned.
type Report struct {
	check.Summary
	Refused int    `json:"refused"` // attempts that were refused, of the constraints
	Proved  Proved `json:"proved"`
	Bounds  Bounds `json:"bounds"`
	// CutShort says that the clock or the context ended the planned work: with
	// more time the same options may give a better model.
	CutShort   bool    `json:"cut_short"`
	EtaSeconds float64 `json:"eta_seconds"` // until xi and eta were proved
	Seconds    float64 `json:"seconds"`
}

// FalsePositives counts the pairs of a node and an action without an edge whose
// preconditions hold, trusted or not, exceptions included (paper, RQ4).
func FalsePositives(g *taskgraph.Graph, m *strips.Model) int {
	n := 0
	seen := make([]bool, m.Actions()+1)
	for _, k := range m.States {
		clear(seen)
		for _, e := range g.Out(k.Node) {
			seen[e.Action] = true
		}
		for i := range m.Operators {
			if op := &m.Operators[i]; !seen[op.Action] && op.Applicable(k.Code) {
				n++
				seen[op.Action] = true // by whichever variant
			}
		}
	}
	return n
}

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
