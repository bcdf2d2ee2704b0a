package operators

import (
	"context"
	"fmt"
	"time"

	"stripswm/models/operators/internal/regions"
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

// Learn finds predicates and operators for a task graph. Every node gets a code of
// its own. Where one operator an action allows that, each action has one; otherwise
// operators may toggle predicates, and actions have as few operators (variants) in
// all as were found, with no slack at all. A pair for which the graph has several
// outcomes is nondeterministic. With Options.Single it is the paper's model: one
// operator an action, and codes that nodes may share.
//
// It fails on a malformed graph or options, and if states cannot be kept distinct as
// the options ask; a context that ends early only ends the improvements.
func Learn(ctx context.Context, g *taskgraph.Graph, opt Options) (*Result, error) {
	r, err := begin(g, opt)
	if err != nil {
		return nil, err
	}
	d := r.p.Decide(ctx)
	always := context.WithoutCancel(ctx) // what kind of model it is takes as long as it takes
	if opt.single() || d.Distinguishes(always) {
		return r.finish(ctx, d, d.Learn)
	}
	r.p = r.p.Toggling()
	if d = r.p.Decide(always); len(d.Lost()) == 0 && d.Distinguishes(always) {
		return r.finish(ctx, d, d.Learn)
	}
	d = r.vary(ctx)
	return r.finish(ctx, d, d.Learn)
}

// Relearn is Learn for a graph that has changed a little since a model of it was
// learned: it takes milliseconds where Learn takes seconds. Predicates of the
// old model that fit the graph are kept, others are found for the missing pairs
// that then stay open, and edges of an action with variants join the variants
// there are. xi and eta are the least, with proof, as by Learn; the number of
// operators, predicates, effects and preconditions are only as good as the old
// model's and a greedy choice. was[i] is what node i was in the old model, -1 for
// a node that is new. With a given number of predicates it is Learn.
func Relearn(ctx context.Context, g *taskgraph.Graph, opt Options, old *strips.Model,
	was []strips.StateID,
) (*Result, error) {
	r, err := begin(g, opt)
	if err != nil {
		return nil, err
	}
	if len(was) != g.NumStates() {
		return nil,
			fmt.Errorf("operators: relearn: the graph has %d nodes, but what they were is said of %d",
				g.NumStates(), len(was))
	}
	if opt.single() || plain(old) {
		d := r.p.DecideFrom(ctx, old, was)
		if opt.single() || d.Distinguishes(context.WithoutCancel(ctx)) {
			return r.finish(ctx, d, d.Relearn)
		}
	}
	d := r.revise(ctx, old, was)
	return r.finish(ctx, d, d.Relearn)
}

// run is one of Learn or Relearn.
type run struct {
	began            time.Time
	g                *taskgraph.Graph // as it was given
	certain          *taskgraph.Graph // what is not nondeterministic
	nondeterministic []strips.Nondeterminism
	opt              Options
	missing          []Missing
	p                *regions.Problem
	split            *split // where actions have variants
	cut              bool   // the context ended the search for them
}

func begin(g *taskgraph.Graph, opt Options) (*run, error) {
	r := &run{began: time.Now(), g: g, certain: g, opt: opt}
	var err error
	if r.missing, err = trusted(g, opt.Trust); err != nil {
		return nil, err
	}
	if err := opt.validate(g); err != nil {
		return nil, fmt.Errorf("operators: %w", err)
	}
	if !opt.single() {
		r.certain, r.nondeterministic = withoutNondeterminism(g)
	}
	r.p = regions.New(r.certain, pairs(r.missing), opt.SlackBudget, opt.BySupport)
	return r, nil
}

// finish has regions chosen, now that it is decided what can be separated.
func (r *run) finish(ctx context.Context, d *regions.Decided,
	choose func(context.Context, *work.Work, regions.Demands) (*regions.Solution, error)) (*Result,
	error) {
	etaSeconds := time.Since(r.began).Seconds()
	lost := d.Lost()
	work, stop := r.opt.work(ctx, r.began)
	defer stop()
	s, err := choose(ctx, work, r.opt.demands())
	if err != nil {
		return nil, fmt.Errorf("operators: %w", err)
	}
	m := s.Model
	m.Nondeterministic = r.nondeterministic
	res := &Result{Model: m, Missing: r.missing, Report: Report{
		Xi: len(m.Slack), Eta: s.Eta, Predicates: m.Predicates, Effects: s.Effects,
		Preconditions: s.Preconditions, DistinctCodes: s.Codes,
		Proved: proved(s.Proved), Bounds: bounds(s.Bounds), CutShort: r.cut || work.CutShort() ||
			d.Undecided() > 0, EtaSeconds: etaSeconds,
	}}
	if r.split != nil {
		r.split.model(m, r.g.Labels)
		if added := r.split.excludeEachOther(m); added > 0 {
			res.Report.Preconditions += added
			res.Report.Proved.Preconditions = false
		}
	} else {
		res.Inseparable = proofs(ctx, r.p, r.g, r.missing, lost)
	}
	m.Untried = untried(r.g, r.missing, m)
	r.sum(&res.Report, m)
	return res, nil
}

// sum fills in what a report says of the graph and of the operators.
func (r *run) sum(out *Report, m *strips.Model) {
	out.States, out.Actions = r.g.NumStates(), r.g.NumActions()
	out.Edges, out.SeparationConstraints = len(r.g.Edges), len(r.missing)
	for _, m := range r.missing {
		if m.Refused > 0 {
			out.Refused++
		}
	}
	out.Operators, out.FalsePositives = len(m.Operators), FalsePositives(r.g, m)
	out.Nondeterministic, out.Untried = len(m.Nondeterministic), len(m.Untried)
	out.Bounds.Operators = r.g.NumActions()
	if r.split != nil {
		out.Bounds.Operators = max(out.Bounds.Operators, r.split.bound)
	}
	out.Proved.Operators = out.Operators == out.Bounds.Operators
	out.Seconds = time.Since(r.began).Seconds()
}
