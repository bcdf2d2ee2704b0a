package operators

import (
	"context"
	"fmt"

	"stripswm/models/taskgraph"
)

// Sweep learns a model for every number of predicates from one to another, each
// with the whole budget of opt, and hands each to yield until that returns
// false.
func Sweep(ctx context.Context, g *taskgraph.Graph, opt Options, from, to int,
	yield func(*Result) bool,
) error {
	if from < 1 || to < from {
		return fmt.Errorf("operators: sweep of %d to %d predicates, want 1 <= from <= to", from, to)
	}
	for m := from; m <= to && ctx.Err() == nil; m++ {
		opt.Predicates = m
		r, err := Learn(ctx, g, opt)
		if err != nil {
			return fmt.Errorf("operators: sweep at %d predicates: %w", m, err)
		}
		if !yield(r) {
			return nil
		}
	}
	return ctx.Err()
}
