package operators

import (
	"context"
	"fmt"
	"time"

	"stripswm/models/operators/internal/columns"
	"stripswm/models/operators/internal/work"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Result is a learned model and its report.
type Result struct {
	Model  *strips.Model
	Report Report
	// Missing are the trusted missing pairs; it tells refused attempts from
	// closed-world guesses.
	Missing []Missing
	// Inseparable are missing pairs that no predicate can rule out without
	// transition slack, each with its proof: all of them up to a few hundred.
	Inseparable []Proof
}

// Learn finds predicates and operators for a task graph. It fails on a malformed
// graph or options, and if states cannot be kept apart as the options ask; a
// context that ends early only ends the improvements.
func Learn(ctx context.Context, g *taskgraph.Graph, opt Options) (*Result, error) {
	r, err := begin(g, opt)
	if err != nil {
		return nil, err
	}
	d := r.p.Decide(ctx)
	return r.finish(ctx, d, d.Learn)
}

// Relearn is Learn for a graph that has changed a little since a model of it was
// learned: it takes milliseconds where Learn takes seconds. Predicates of the
// old model that fit the graph are kept, others are found for the missing pairs
// that then stay open. xi and eta are the least, with proof, as by Learn; the
// number of predicates, effects and preconditions are only as good as the old
// model's and a greedy choice. was[i] is what node i was in the old model, -1 for
// a node that is new. With a given number of predicates it is Learn.
func Relearn(ctx context.Context, g *taskgraph.Graph, opt Options, old *strips.Model, was []strips.StateID) (*Result, error) {
	r, err := begin(g, opt)
	if err != nil {
		return nil, err
	}
	if len(was) != g.NumStates() {
		return nil, fmt.Errorf("operators: relearn: the graph has %d nodes, but what they were is said of %d", g.NumStates(), len(was))
	}
	d := r.p.DecideFrom(ctx, old, was)
	return r.finish(ctx, d, d.Relearn)
}

// run is one of Learn or Relearn.
type run struct {
	began   time.Time
	g       *taskgraph.Graph
	opt     Options
	missing []Missing
	p       *columns.Problem
}

func begin(g *taskgraph.Graph, opt Options) (*run, error) {
	began := time.Now()
	missing, err := trusted(g, opt.Trust)
	if err != nil {
		return nil, err
	}
	if err := opt.validate(g); err != nil {
		return nil, fmt.Errorf("operators: %w", err)
	}
	return &run{began, g, opt, missing, columns.New(g, pairs(missing), opt.Pay, opt.BySupport)}, nil
}

// finish has columns chosen, now that it is decided what can be separated.
func (r *run) finish(ctx context.Context, d *columns.Decided,
	choose func(context.Context, *work.Work, columns.Demands) (*columns.Solution, error)) (*Result, error) {
	etaSeconds := time.Since(r.began).Seconds()
	lost := d.Lost()
	work, stop := r.opt.work(ctx, r.began)
	defer stop()
	s, err := choose(ctx, work, r.opt.demands())
	if err != nil {
		return nil, fmt.Errorf("operators: %w", err)
	}
	refused := 0
	for _, m := range r.missing {
		if m.Refused > 0 {
			refused++
		}
	}
	g := r.g
	return &Result{Model: s.Model, Missing: r.missing, Inseparable: proofs(ctx, r.p, g, r.missing, lost), Report: Report{
		States: g.NumStates(), Actions: g.NumActions(), Edges: len(g.Edges), Atoms: len(r.missing), Refused: refused,
		Predicates: s.Model.Predicates, Xi: len(s.Model.Slack), Eta: s.Eta, Effects: s.Effects, Preconditions: s.Preconditions, DistinctCodes: s.Codes,
		FalsePositives: FalsePositives(g, s.Model), Proved: Proved(s.Proved), Bounds: Bounds(s.Bounds),
		CutShort: work.CutShort() || d.Undecided() > 0, EtaSeconds: etaSeconds, Seconds: time.Since(r.began).Seconds(),
	}}, nil
}
