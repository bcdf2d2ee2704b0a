package operators

import (
	"context"
	"fmt"

	"stripswm/models/operators/internal/regions"
	"stripswm/models/taskgraph"
)

// LeastEta is the least applicability slack of any model of the graph without
// transition slack, over every number of predicates: the missing pairs that no
// predicate can separate. It is exact, and fails only if the context ends.
func LeastEta(ctx context.Context, g *taskgraph.Graph, t Trust) ([]Missing, error) {
	missing, err := trusted(g, t)
	if err != nil {
		return nil, err
	}
	d := regions.New(g, pairs(missing), nil, false).Decide(ctx)
	if n := d.Undecided(); n > 0 {
		return nil, fmt.Errorf("operators: %d missing pairs undecided: %w", n, context.Cause(ctx))
	}
	lost := map[regions.Pair]bool{}
	for _, pair := range d.Lost() {
		lost[pair] = true
	}
	var out []Missing
	for _, m := range missing {
		if lost[regions.Pair{State: m.State, Action: m.Action}] {
			out = append(out, m)
		}
	}
	return out, nil
}
