package eval

import (
	"context"
	"fmt"
	"slices"
	"time"

	"stripswm/models/imageplan"
	"stripswm/nodes/sim"
)

// evaluation answers the same queries by several methods.
type evaluation struct {
	planner *imageplan.Planner
	source  source
	options Options

	methods  []*method // STRIPS-WM first
	ablated  []*method // by row of the ablation's table; nil where nothing could be learned
	closers  []func() error
	duration []time.Duration // of STRIPS-WM's answers
}

func (e *evaluation) close() {
	for _, c := range e.closers {
		c()
	}
}

// question is a query at its horizon, 0 without a path.
type question struct {
	sim.Query
	horizon int
}

// run photographs the queries and counts what becomes of every method's answers.
func (e *evaluation) run(ctx context.Context) error {
	asked := append(e.methods[:len(e.methods):len(e.methods)], e.ablated...)
	asked = slices.DeleteFunc(asked, func(m *method) bool { return m == nil })
	world, err := newLoop(e.planner, e.source)
	if err != nil {
		return err
	}
	return ask(ctx, e.source, e.options, asked, func(taken shot) (recognizedQuery, error) {
		begin := time.Now()
		seen, err := recognize(ctx, e.planner, taken)
		e.duration = append(e.duration, time.Since(begin))
		return seen, err
	}, func(q question, seen recognizedQuery) error { return e.execute(ctx, world, q, seen) })
}

// ask photographs the queries, has each recognized, and counts what becomes of every method's
// answers; then is told of each query after that.
func ask(ctx context.Context, from source, o Options, asked []*method,
	see func(shot) (recognizedQuery, error), then func(question, recognizedQuery) error,
) error {
	var questions []question
	var orders []order
	add := func(horizon int, list []sim.Query) {
		for _, q := range list {
			orders = append(orders, from.pair(len(orders), q))
			questions = append(questions, question{q, horizon})
		}
	}
	for i, list := range from.queries(o.Queries) {
		for _, m := range asked {
			m.horizons = append(m.horizons, Horizon{Horizon: i + 1})
		}
		add(i+1, list)
	}
	add(0, from.unconnected(o.Queries))
	n := 0
	return photograph(ctx, orders, o.Workers, func(taken shot) error {
		seen, err := see(taken)
		if err != nil {
			return fmt.Errorf("query %d: %w", n, err)
		}
		for _, m := range asked {
			a, err := m.answer(ctx, seen)
			if err != nil {
				return fmt.Errorf("query %d: %s: %w", n, m.name, err)
			}
			m.count(from, questions[n], a)
		}
		if err := then(questions[n], seen); err != nil {
			return fmt.Errorf("query %d: %w", n, err)
		}
		n++
		o.report("evaluate", n, len(orders))
		return nil
	})
}

// execute carries some of each horizon's queries out in closed loop.
func (e *evaluation) execute(ctx context.Context, world *loop, q question,
	seen recognizedQuery,
) error {
	if q.horizon == 0 || e.source.photograph(q.Start, 0, 0) == nil {
		return nil
	}
	h := &e.methods[0].horizons[q.horizon-1]
	if h.Executed*executedShare >= e.options.Queries {
		return nil
	}
	return world.execute(ctx, q.Query, seen.result.Goal, h)
}

// fill puts the counts in the report.
func (e *evaluation) fill(r *Report) {
	r.Horizons = e.methods[0].horizons
	if distinct := e.methods[0].distinct; distinct.Queries > 0 {
		r.Unconnected = &distinct
	}
	for _, m := range e.methods[1:] {
		r.Methods = append(r.Methods, Method{m.name, m.horizons})
	}
	for i := range r.Ablation {
		if i == 0 {
			r.Ablation[i].Horizons = r.Horizons
		} else if m := e.ablated[i-1]; m != nil {
			r.Ablation[i].Horizons = m.horizons
		}
	}
	if n := len(e.duration); n > 0 {
		slices.Sort(e.duration)
		r.MedianMilliseconds = e.duration[n/2].Seconds() * 1e3
	}
}
