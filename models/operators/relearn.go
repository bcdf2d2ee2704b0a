package operators

import (
	"context"
	"math/rand/v2"

	"github.com/go-air/gini/z"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Relearn is Learn for a graph that has changed a little since a model of it was
// learned: it takes milliseconds where Learn takes its budget. Predicates of the
// old model that fit the graph are kept, others are found for the missing pairs
// that then stay open. xi and eta are the least, with proof, as by Learn; the
// number of predicates, effects and preconditions are only as good as the old
// model's and a greedy choice. was[i] is what node i was in the old model, -1 for
// a node that is new. With a given number of predicates it is Learn.
func Relearn(ctx context.Context, g *taskgraph.Graph, opt Options, old *strips.Model, was []strips.StateID) (*Result, error) {
	l, err := newLearner(g, opt)
	if err != nil {
		return nil, err
	}
	if opt.Predicates > 0 {
		return l.learn(ctx, l.choose)
	}
	l.pool = l.p.adopt(newOracle(l.p), old, was)
	kept := len(l.pool)
	return l.learn(ctx, func(ctx context.Context) *solution { return l.extend(ctx, kept) })
}

// adopt is the columns of a model's predicates, with values for the nodes that
// it does not know, where they fit the graph and separate something.
func (p *Problem) adopt(o *oracle, m *strips.Model, was []strips.StateID) []*column {
	var columns []*column
	for q := range strips.Predicate(m.Predicates) {
		var values []z.Lit
		for s, node := range was {
			if code, known := m.Code(node); known {
				values = append(values, o.value(s, code.Get(q)))
			}
		}
		x, ok := o.solve(values...)
		if !ok {
			continue
		}
		if c := p.mustColumn(x); !c.cover.empty() {
			columns = append(columns, c)
		}
	}
	return columns
}

// extend keeps the first columns of the pool and covers greedily what they leave
// open.
func (l *learner) extend(ctx context.Context, kept int) *solution {
	if l.want.empty() {
		return l.lively(ctx, nil, false)
	}
	open := l.want.clone()
	columns := l.pool[:kept:kept]
	for _, c := range columns {
		open.remove(c.cover)
	}
	rng := rand.New(rand.NewPCG(l.opt.Seed, 5))
	columns = append(columns, greedyCover(ctx, newOracle(l.p), l.pool, open, rng)...)
	return l.p.solution(withoutRedundant(columns, l.want), 0)
}

// identity is the numbering in which every node is what it was.
func identity(states int) []strips.StateID {
	was := make([]strips.StateID, states)
	for s := range was {
		was[s] = strips.StateID(s)
	}
	return was
}
