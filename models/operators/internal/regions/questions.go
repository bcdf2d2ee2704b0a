package regions

import (
	"context"
	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"

	"github.com/go-air/gini/z"
)

// Questions are about regions that have to separate something, and about the
// edges that stand in the way. All edges of the problem may be switched off.
type Questions struct {
	o *edgeOracle
}

// Question asks for a region.
type Question struct{ assumption [2]z.Lit }

// NewQuestions prepares to ask about the edges of the problem.
func (p *Problem) NewQuestions(ctx context.Context) *Questions {
	return &Questions{newEdgeOracle(p, work.UntilDone(ctx), true)}
}

// Separate asks for a region that separates a missing pair.
func (q *Questions) Separate(pair Pair) Question {
	return Question{[2]z.Lit{q.o.required(int(pair.Action - 1)), q.o.holds(int(pair.State)).Not()}}
}

// Distinguish asks for a region with different values in two states.
func (q *Questions) Distinguish(s, t int) Question {
	return Question{[2]z.Lit{q.o.holds(s), q.o.holds(t).Not()}}
}

// Core is edges, by their indices in the graph, that rule the region out
// together; not all of them need be to blame. There is none if there is a region.
func (q *Questions) Core(question Question) (core []int, ruledOut bool) {
	_, edges := q.o.region(question.assumption, bitset.New(len(q.o.used)))
	return members(edges), edges != nil
}

// MinimalCore is a core without any one edge of which the region would exist. It
// is empty if no graph with these sources allows one.
func (q *Questions) MinimalCore(question Question) (core []int, ruledOut bool) {
	edges := q.o.proof(question.assumption)
	return members(edges), edges != nil
}

// Without says whether there is a region if an edge is ignored.
func (q *Questions) Without(edge int, question Question) bool {
	dropped := bitset.New(len(q.o.used))
	dropped.Set(edge)
	x, _ := q.o.region(question.assumption, dropped)
	return x != nil
}
